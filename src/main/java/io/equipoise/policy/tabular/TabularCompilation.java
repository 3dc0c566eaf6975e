package io.equipoise.policy.tabular;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.SeparatingSet;
import io.equipoise.causal.SeparatingSets;
import io.equipoise.causal.Separation;
import io.equipoise.causal.Variable;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.policy.CellLayout;
import io.equipoise.policy.features.NotIdentified;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.ConfidenceKind;
import io.equipoise.segmentspec.FairnessSpec;
import io.equipoise.segmentspec.Intersections;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Turns a spec into the parts of a policy, or reports all faults. */
final class TabularCompilation {
  private final SegmentSpec spec;
  private final List<SpecFault> faults = new ArrayList<>();
  final SeparatingSet separatingSet;

  TabularCompilation(SegmentSpec spec) {
    this.spec = spec;
    separatingSet = CellSeparators.of(spec);
  }

  TabularModel model() {
    CellLayout layout = layout();
    checkLevels();
    if (isUnconfounded()) {
      checkEffects();
    }
    int cells = layout == null ? 0 : layout.mediatorCells();
    MediatorWeights weights = new MediatorWeights(spec, mediators(), cells, tableDelta(), faults);
    Counterfactuals counterfactuals = new Counterfactuals(spec, separatingSet, weights, faults);
    if (layout == null || !faults.isEmpty()) {
      throw new SpecException(faults);
    }
    return new TabularModel(
        layout,
        weights,
        confidence(layout, counterfactuals, weights.isEstimated()),
        counterfactuals,
        spec.reward().range().width());
  }

  /** Where tables are estimated, they and the cells may each be wrong with half of delta. */
  private double tableDelta() {
    CausalBoundsSpec causalBounds = spec.policy().causalBounds();
    double delta = spec.fairness().delta();
    return (causalBounds == null ? delta : Math.min(delta, causalBounds.delta())) / 2;
  }

  /** Returns what holds causal bounds against the model's cells, or null where there are none. */
  @Nullable CausalBoundCheck boundsCheck(TabularModel model) {
    CausalBoundsSpec causalBounds = spec.policy().causalBounds();
    return causalBounds == null
        ? null
        : new CausalBoundCheck(
            model,
            anytime(cellDelta(causalBounds.delta(), model.isEstimated()) / model.layout().cells()));
  }

  /** Returns for every arm whether one of the spec's safe rules holds for it. */
  boolean[] safeArms() {
    List<SpecVariable> actions = spec.variables().actions();
    boolean[] isSafe = new boolean[spec.arms().size()];
    for (int arm = 0; arm < isSafe.length; arm++) {
      for (Map<String, List<String>> rule : TabularSpec.of(spec).safe()) {
        isSafe[arm] |= holds(rule, spec.arms().get(arm), actions);
      }
    }
    return isSafe;
  }

  private static boolean holds(
      Map<String, List<String>> rule, Arm arm, List<SpecVariable> actions) {
    for (int action = 0; action < actions.size(); action++) {
      List<String> allowed = rule.get(actions.get(action).name());
      String level = actions.get(action).levels().get(arm.level(action));
      if (allowed != null && !allowed.contains(level)) {
        return false;
      }
    }
    return true;
  }

  /** Returns null after a fault. */
  private @Nullable CellLayout layout() {
    try {
      return new CellLayout(spec.variables(), spec.arms(), separatingSet.variables());
    } catch (ArithmeticException e) {
      String w = separatingSet.variables().toString();
      faults.add(new SpecFault("policy.separating-set", w, String.valueOf(e.getMessage())));
      return null;
    }
  }

  /** Returns Z in the order of declaration, which is that of cells. */
  private List<String> mediators() {
    List<String> mediators = new ArrayList<>();
    for (SpecVariable mediator : spec.variables().mediators()) {
      if (separatingSet.mediators().contains(mediator.name())) {
        mediators.add(mediator.name());
      }
    }
    return mediators;
  }

  /**
   * All that is said of cells holds at once: each cell alone may be wrong with probability delta /
   * |W|, each set of cells that is compared with probability delta / (number of sets).
   */
  private SharedConfidence<? extends CellConfidence> confidence(
      CellLayout layout, Counterfactuals counterfactuals, boolean isEstimated) {
    FairnessSpec fairness = spec.fairness();
    NumberRange range = spec.reward().range();
    double delta = cellDelta(fairness.delta(), isEstimated);
    return switch (fairness.confidence()) {
      case JOINT ->
          new SharedConfidence<>(
              share ->
                  new JointRegion(
                      range.low(),
                      range.high(),
                      share * delta / counterfactuals.sets(layout),
                      layout.cells()));
      case SUB_GAUSSIAN -> anytime(delta / layout.cells());
      case PAPER ->
          new SharedConfidence<>(
              any -> new PerRoundConfidence(range.low(), range.high(), fairness.scale()));
    };
  }

  private static double cellDelta(double delta, boolean isEstimated) {
    return isEstimated ? delta / 2 : delta;
  }

  /**
   * A paper's bonus refutes nothing, so what does holds at all times whatever certifies effects.
   */
  private SharedConfidence<ConfidenceSequence> anytime(double alpha) {
    FairnessSpec fairness = spec.fairness();
    NumberRange numberRange = spec.reward().range();
    double low = numberRange.low();
    double high = numberRange.high();
    return new SharedConfidence<>(
        share ->
            fairness.confidence() == ConfidenceKind.JOINT
                ? new BetaMixture(low, high, share * alpha)
                : new SubGaussian(low, high, fairness.scale(), share * alpha));
  }

  /** Levels are spoken of by place, so tables must have them in the order of the variables. */
  private void checkLevels() {
    for (Variable known : spec.distributions().variables()) {
      if (spec.variables().has(known.name())) {
        SpecVariable declared = spec.variables().named(known.name());
        List<String> levels = declared.levels().subList(0, declared.disclosedLevels());
        if (!levels.equals(known.levels())) {
          faults.add(
              new SpecFault(
                  "distributions." + known.name(),
                  known.levels().toString(),
                  "the levels of the variable in their order: " + levels));
        }
      }
    }
  }

  /**
   * Checks that p(z | x, a) is what the tables say, P(z | do(x, a)): with all edges out of X and A
   * cut, Z must be separated from them (Pearl 2009, rule 2 of the do-calculus).
   */
  private boolean isUnconfounded() {
    List<String> held = new ArrayList<>();
    spec.variables().features().forEach(variable -> held.add(variable.name()));
    spec.variables().actions().forEach(variable -> held.add(variable.name()));
    CausalGraph graph = spec.graph();
    GraphBuilder cut = CausalGraph.builder();
    for (String node : graph.nodes()) {
      cut.node(node);
    }
    for (String node : graph.nodes()) {
      for (String child : graph.children(node)) {
        if (!held.contains(node)) {
          cut.directed(node, child);
        }
      }
      for (String sibling : graph.siblings(node)) {
        cut.bidirected(node, sibling);
      }
    }
    Optional<String> path =
        Separation.openPath(cut.build(), held, separatingSet.mediators(), List.of());
    path.ifPresent(
        open ->
            faults.add(
                new SpecFault(
                    "graph",
                    open,
                    "no common cause of the mediators of W, "
                        + separatingSet.mediators()
                        + ", with features or actions outside them: their known distribution would"
                        + " not be the one that is observed")));
    return path.isEmpty();
  }

  /** Refuses attributes whose effect is not that of an association in the cells. */
  private void checkEffects() {
    TotalEffects effects = new TotalEffects(spec, separatingSet.variables());
    EstimatedLaw law = EstimatedLaw.ofCells(spec);
    for (SpecVariable action : spec.variables().actions()) {
      if (separatingSet.variables().contains(action.name()) && !law.isWhole(action.name())) {
        faults.add(NotIdentified.armsInOneBin(action.name()));
      }
    }
    List<List<Integer>> sets = new ArrayList<>();
    spec.variables().sensitive().forEach(place -> sets.add(List.of(place)));
    sets.addAll(Intersections.of(spec).sets());
    Set<AuditEffectKind> kinds = spec.fairness().kinds().keySet();
    for (List<Integer> set : sets) {
      String attributes = String.join("*", effects.names(set));
      if (!kinds.equals(Set.of(AuditEffectKind.DIRECT))) {
        refuse(effects.confounding(set), attributes);
      }
      if (kinds.contains(AuditEffectKind.DIRECT) || kinds.contains(AuditEffectKind.INDIRECT)) {
        refuse(effects.confoundingOfDirect(set), attributes);
        effects
            .mediatorBesideW(set, spec.variables().mediators())
            .ifPresent(
                mediator ->
                    faults.add(
                        new SpecFault(
                            "fairness.tau",
                            "direct or indirect over cells of W = %s, which lacks %s"
                                .formatted(separatingSet.variables(), mediator),
                            "%s with %s. Effects by way of %s would else count as direct"
                                .formatted(
                                    TabularSpec.of(spec).separating() == SeparatingRule.ALL
                                        ? "policy: d-ucb or f-ucb, over cells"
                                        : "policy.separating-set: parents, or a list",
                                    mediator,
                                    mediator))));
      }
    }
  }

  private void refuse(Optional<String> path, String attribute) {
    path.ifPresent(
        open -> faults.add(NotIdentified.fault(spec, EstimatedLaw.ofCells(spec), attribute, open)));
  }

  /**
   * Finds the separating set W that a spec's rule asks for: (X, A) for ucb, the reward's parents
   * for c-ucb, the cheapest or a declared one for d-ucb and f-ucb (Huang et al. 2022, section 4).
   * Every W is verified by d-separation; one that leaks is refused with the features that leak.
   */
  private static final class CellSeparators {
    private static final String PLACE = "policy.separating-set";

    private final EstimatedLaw law;
    private final CausalGraph graph;
    private final Variables variables;
    private final List<String> features = new ArrayList<>();
    private final List<String> candidates = new ArrayList<>();

    private CellSeparators(SegmentSpec spec) {
      law = EstimatedLaw.ofCells(spec);
      graph = law.graph();
      variables = spec.variables();
      variables.features().forEach(variable -> features.add(variable.name()));
      variables.actions().forEach(variable -> features.add(variable.name()));
      candidates.addAll(features);
      for (SpecVariable mediator : variables.mediators()) {
        if (graph.contains(mediator.name()) && !graph.latents().contains(mediator.name())) {
          candidates.add(mediator.name());
        }
      }
    }

    /** Returns W, or throws a {@link SpecException} that says why there is none. */
    static SeparatingSet of(SegmentSpec spec) {
      CellSeparators cellSeparators = new CellSeparators(spec);
      SeparatingRule rule = TabularSpec.of(spec).separating();
      try {
        return switch (rule) {
          case ALL -> cellSeparators.verified(rule, cellSeparators.features);
          case PARENTS ->
              cellSeparators.verified(
                  rule, cellSeparators.parents(spec.variables().reward().name()));
          case DECLARED -> cellSeparators.verified(rule, TabularSpec.of(spec).declaredSet());
          case CHEAPEST -> cellSeparators.cheapest();
        };
      } catch (GraphException e) {
        throw new SpecException(List.of(new SpecFault("graph", rule.wire(), e.getMessage())));
      }
    }

    private List<String> parents(String reward) {
      return graph.parents(reward).stream().map(law::variable).toList();
    }

    private SeparatingSet cheapest() {
      return SeparatingSets.cheapest(
          graph, features, variables.reward().name(), candidates, this::domain);
    }

    private SeparatingSet verified(SeparatingRule rule, Collection<String> w) {
      Set<String> names = new TreeSet<>(w);
      Set<String> unobserved = new TreeSet<>(w);
      candidates.forEach(unobserved::remove);
      if (!unobserved.isEmpty()) {
        throw refused(rule, w, "these members are not observed variables: " + unobserved);
      }
      Optional<SeparatingSets.Leak> leak =
          SeparatingSets.verify(graph, features, variables.reward().name(), names);
      if (leak.isPresent()) {
        throw refused(
            rule,
            w,
            "it must shield the reward from every feature outside it, but these still bear on it: "
                + leak.get().features()
                + ", for example along "
                + leak.get().openPath());
      }
      List<String> mediators = names.stream().filter(name -> !features.contains(name)).toList();
      return new SeparatingSet(List.copyOf(names), product(names), mediators, product(mediators));
    }

    private static SpecException refused(SeparatingRule rule, Collection<String> w, String why) {
      return new SpecException(List.of(new SpecFault(PLACE, rule.wire() + " " + w, why)));
    }

    private long product(Collection<String> names) {
      long product = 1;
      for (String name : names) {
        long size = domain(name);
        product = product > Long.MAX_VALUE / size ? Long.MAX_VALUE : product * size;
      }
      return product;
    }

    private long domain(String name) {
      return CellLayout.size(variables.named(name));
    }
  }
}
