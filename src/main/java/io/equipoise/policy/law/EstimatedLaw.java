package io.equipoise.policy.law;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.event.Sha256;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Describes the conditional law of the reward that a model's statistics estimate: which variables
 * they see, and how coarsely, in which window, with which value of silence, over which range.
 *
 * <p>Cells see a number by its bin. Features see a variable whole where functions of the variable
 * alone, one for each level or the number itself, are sums of features; else they see a part of it,
 * or nothing. A variable that is seen in part is two nodes of {@link #graph}: the seen coarsening,
 * which has the variable's name, below the variable itself, which is hidden. Identification asks
 * this graph, so that nothing counts as held of which only a coarsening is. Arrows into actions
 * leave from the coarsening, because the policy chooses by it.
 *
 * <p>The {@linkplain #fingerprint fingerprint} of statistics is a hash of the same law: what a spec
 * change may not alter under running statistics is what the law is made of. Immutable.
 */
public final class EstimatedLaw {
  private final SegmentSpec spec;
  private final Map<String, View> views = new LinkedHashMap<>();
  private final CausalGraph graph;
  private final boolean isOfCells;
  private final Set<String> uneven = new LinkedHashSet<>();

  /**
   * Describes how statistics see a variable.
   *
   * @param separated the disclosed levels that are separated from all others
   * @param isWhole whether all that the variable is, is seen
   * @param isSeen whether anything of it is
   */
  private record View(BitSet separated, boolean isWhole, boolean isSeen) {}

  private EstimatedLaw(
      SegmentSpec spec, boolean isOfCells, Set<String> exact, List<FeatureTerm> mains) {
    this.spec = spec;
    this.isOfCells = isOfCells;
    for (SpecVariable variable : spec.variables().all()) {
      if (variable.role() != VariableRole.REWARD) {
        views.put(variable.name(), view(variable, exact.contains(variable.name()), mains));
      }
    }
    graph = coarsened();
  }

  /** Returns the law of cells, which see every level and the bin of every number. */
  public static EstimatedLaw ofCells(SegmentSpec spec) {
    List<FeatureTerm> levels = new ArrayList<>();
    for (SpecVariable variable : spec.variables().all()) {
      levels.add(new FeatureTerm.OneHot(variable.name()));
    }
    return new EstimatedLaw(spec, true, Set.of(), levels);
  }

  /** Returns the law of a regression over features; it sees nothing of mediators. */
  public static EstimatedLaw ofFeatures(SegmentSpec spec, FeatureMap features) {
    List<FeatureTerm> mains = new ArrayList<>();
    Set<String> exact = new LinkedHashSet<>();
    features.terms().forEach(term -> collect(term, mains));
    for (FeatureTerm main : mains) {
      if (main instanceof FeatureTerm.Numeric number) {
        exact.add(number.variable());
      }
    }
    EstimatedLaw law = new EstimatedLaw(spec, false, exact, mains);
    features.terms().forEach(law::uneven);
    return law;
  }

  /** Notes the variables of which a product or match shows more than the features by themselves. */
  private void uneven(FeatureTerm term) {
    if (term instanceof FeatureTerm.Product product) {
      uneven(product.left());
      uneven(product.right());
    } else {
      for (String name : new FeatureMap(List.of(term)).variables()) {
        View view = views.get(name);
        SpecVariable variable = spec.variables().named(name);
        boolean isShown =
            term instanceof FeatureTerm.Level level
                ? view.separated().get(variable.indexOf(level.level()))
                : term instanceof FeatureTerm.OneHot
                    && view.separated().cardinality() == variable.disclosedLevels();
        if (!isShown && !view.isWhole()) {
          uneven.add(name);
        }
      }
    }
  }

  /** Collects the terms of which the features of a term contain a multiple by a constant 1. */
  private static void collect(FeatureTerm term, List<FeatureTerm> mains) {
    if (term instanceof FeatureTerm.Product product) {
      if (sumsToOne(product.right())) {
        collect(product.left(), mains);
      }
      if (sumsToOne(product.left())) {
        collect(product.right(), mains);
      }
    } else {
      mains.add(term);
    }
  }

  /** Returns whether the features of a term sum to 1 for everybody. */
  private static boolean sumsToOne(FeatureTerm term) {
    return term instanceof FeatureTerm.Intercept
        || term instanceof FeatureTerm.OneHot
        || (term instanceof FeatureTerm.Product product
            && sumsToOne(product.left())
            && sumsToOne(product.right()));
  }

  private View view(SpecVariable variable, boolean isExact, List<FeatureTerm> mains) {
    int levels = variable.disclosedLevels();
    BitSet separated = new BitSet();
    for (FeatureTerm main : mains) {
      if (main instanceof FeatureTerm.OneHot all && all.variable().equals(variable.name())) {
        separated.set(0, levels);
      } else if (main instanceof FeatureTerm.Level one && one.variable().equals(variable.name())) {
        separated.set(variable.indexOf(one.level()));
      }
    }
    separated.clear(levels, Math.max(levels, separated.length()));
    if (separated.cardinality() == levels - 1) {
      separated.set(0, levels);
    }
    boolean areAllSeparated = separated.cardinality() == levels;
    boolean isWhole = isExact || (areAllSeparated && (!variable.isNumeric() || isBin(variable)));
    return new View(separated, isWhole, isExact || !separated.isEmpty());
  }

  /**
   * Returns whether a numeric variable is its bin: an action is, where each arm of the spec has a
   * bin of its own.
   */
  private boolean isBin(SpecVariable variable) {
    if (variable.role() != VariableRole.ACTION || variable.actsByBin()) {
      return variable.role() == VariableRole.ACTION;
    }
    int place = spec.variables().actions().indexOf(variable);
    int number =
        (int)
            spec.variables().actions().subList(0, place).stream()
                .filter(SpecVariable::isNumeric)
                .count();
    Map<Integer, Double> numbers = new HashMap<>();
    for (Arm arm : spec.arms().list()) {
      Double before = numbers.putIfAbsent(arm.level(place), arm.numbers()[number]);
      if (before != null && before != arm.numbers()[number]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the law as the effects of some attributes need it. An attribute with a range is its
   * bin: its other worlds are other bins. For the effects of others it is a number seen by its bin.
   */
  public EstimatedLaw about(Collection<String> attributes) {
    Map<String, View> own = new LinkedHashMap<>(views);
    for (String name : attributes) {
      View view = views.get(name);
      boolean isAll =
          view.separated().cardinality() == spec.variables().named(name).disclosedLevels();
      own.put(name, new View(view.separated(), isAll, view.isSeen()));
    }
    return new EstimatedLaw(spec, isOfCells, own, uneven);
  }

  private EstimatedLaw(
      SegmentSpec spec, boolean isOfCells, Map<String, View> views, Set<String> uneven) {
    this.spec = spec;
    this.isOfCells = isOfCells;
    this.views.putAll(views);
    this.uneven.addAll(uneven);
    graph = coarsened();
  }

  /** Returns the spec's graph with a hidden node above each variable that is seen in part. */
  private CausalGraph coarsened() {
    CausalGraph declared = spec.graph();
    if (declared.nodes().stream().noneMatch(this::isSeenInPart)) {
      return declared;
    }
    GraphBuilder builder = CausalGraph.builder();
    for (String node : declared.nodes()) {
      boolean isSelection = declared.selection().filter(node::equals).isPresent();
      if (isSelection) {
        builder.selection(node);
      } else if (declared.latents().contains(node)) {
        builder.latent(node);
      } else {
        builder.node(node);
      }
      if (isSeenInPart(node)) {
        builder.latent(itself(node));
      }
    }
    for (String node : declared.nodes()) {
      if (isSeenInPart(node)) {
        builder.directed(itself(node), node);
      }
      for (String child : declared.children(node)) {
        builder.directed(actsByCoarsening(node, child) ? node : itself(node), itself(child));
      }
      for (String sibling : declared.siblings(node)) {
        builder.bidirected(itself(node), itself(sibling));
      }
    }
    return builder.build();
  }

  private boolean actsByCoarsening(String node, String child) {
    if (!spec.variables().has(node) || !spec.variables().has(child)) {
      return false;
    }
    VariableRole role = spec.variables().named(child).role();
    boolean isActedOn = role == VariableRole.REWARD || role == VariableRole.MEDIATOR;
    return role == VariableRole.ACTION || (isActedOn && spec.variables().named(node).actsByBin());
  }

  private boolean isSeenInPart(String node) {
    View view = views.get(node);
    return view != null && view.isSeen() && !view.isWhole();
  }

  /**
   * Returns the node of {@link #graph} that is a variable itself, and not the coarsening of it that
   * is seen.
   */
  public String itself(String variable) {
    return isSeenInPart(variable) ? variable + " itself" : variable;
  }

  /** Returns the name of the variable that a node of {@link #graph} is of. */
  public String variable(String node) {
    for (String name : views.keySet()) {
      if (node.equals(itself(name))) {
        return name;
      }
    }
    return node;
  }

  /** Returns the spec's graph with coarsenings as nodes. */
  public CausalGraph graph() {
    return graph;
  }

  /** Returns whether statistics see anything of a variable. */
  public boolean isSeen(String variable) {
    return views.containsKey(variable) && views.get(variable).isSeen();
  }

  /** Returns whether statistics see all of a variable. */
  public boolean isWhole(String variable) {
    return views.containsKey(variable) && views.get(variable).isWhole();
  }

  /**
   * Returns whether products or matches show more of a variable than features do by themselves, so
   * that some comparisons hold it and others average over it.
   */
  public boolean isUneven(String variable) {
    return uneven.contains(variable);
  }

  /** Returns whether two levels of a variable are separated from each other and from all others. */
  public boolean separates(SpecVariable variable, int one, int other) {
    BitSet separated = views.get(variable.name()).separated();
    return separated.get(one) && separated.get(other);
  }

  /** Returns the levels of a variable that are separated from all others. */
  public List<String> separated(SpecVariable variable) {
    return views.get(variable.name()).separated().stream()
        .mapToObj(variable.levels()::get)
        .toList();
  }

  /** Returns the members of a list of variables of which something is seen. */
  public Set<String> seen(Collection<SpecVariable> variables) {
    Set<String> seen = new LinkedHashSet<>();
    for (SpecVariable variable : variables) {
      if (isSeen(variable.name())) {
        seen.add(variable.name());
      }
    }
    return seen;
  }

  /** Returns how statistics get to see a variable whole, for people. */
  public String remedy(SpecVariable variable) {
    if (!variable.isNumeric()) {
      return "Add {one-hot: %s} to policy.features".formatted(variable.name());
    }
    if (variable.role() == VariableRole.SENSITIVE) {
      return "If the reward depends on the bin of %1$s alone, state variables.%1$s.acts-by: bin; else make it a context variable with {number: %1$s} among the features"
          .formatted(variable.name());
    }
    String range = variable.usual() == null ? " and variables.%2$s.usual-range" : "";
    return ("%1$s {number: %2$s} to policy.features"
            + range
            + "; or, if the reward depends on the bin of %2$s alone, state variables.%2$s.acts-by: bin")
        .formatted(isOfCells ? "Take a linear policy, and add" : "Add", variable.name());
  }

  /** Returns how a variable is seen, for people: its name, with what is left out of it. */
  public String described(SpecVariable variable) {
    View view = views.get(variable.name());
    if (!view.isSeen()) {
      return variable.name() + " (not seen)";
    }
    if (view.isWhole()) {
      return variable.name();
    }
    return variable.isNumeric()
        ? variable.name() + (variable.actsByBin() ? " (its bin, by which it acts)" : " (its bin)")
        : "%s (only %s)".formatted(variable.name(), separated(variable));
  }

  /**
   * Returns the law as one line for people, like {@code E[accepted | gender, income (its bin),
   * offer]}.
   *
   * @param given the variables that the statistics condition on besides actions
   */
  public String described(Collection<SpecVariable> given) {
    List<String> names = new ArrayList<>();
    given.forEach(variable -> names.add(described(variable)));
    spec.variables().actions().forEach(action -> names.add(action.name()));
    return "E[%s | %s]".formatted(spec.variables().reward().name(), String.join(", ", names));
  }

  /**
   * Hashes what statistics mean. Models with another fingerprint must not share statistics.
   *
   * @param kind of the statistics and the settings that change them
   * @param variables of this spec, or of an earlier one whose levels this spec extends
   */
  public static String fingerprint(SegmentSpec spec, String kind, Variables variables) {
    StringBuilder meaning = new StringBuilder(kind).append('\n');
    meaning.append(spec.rewardMeaning()).append('\n');
    for (SpecVariable variable : variables.all()) {
      append(meaning, variable.name());
      append(meaning, variable.role().wire());
      variable.levels().forEach(level -> append(meaning, level));
      meaning.append(variable.undisclosed()).append(' ').append(variable.range());
      for (double cut : variable.cuts()) {
        meaning.append(' ').append(cut);
      }
      meaning.append('\n');
    }
    return Sha256.hex(meaning.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a text with its length, so that no two lists of texts read the same. */
  private static void append(StringBuilder meaning, String text) {
    meaning.append(text.length()).append(':').append(text).append(' ');
  }
}
