package io.equipoise.policy.tabular;

import io.equipoise.causal.SeparatingSet;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.fairness.EffectIdentification;
import io.equipoise.policy.CellLayout;
import io.equipoise.policy.tabular.Comparison.Worlds;
import io.equipoise.segmentspec.Intersections;
import io.equipoise.segmentspec.Intersections.JointPair;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;

/**
 * Lists the comparisons that the audit of a context needs: every sensitive attribute against every
 * other value of it, and every ordered pair of values where the attribute is undisclosed; after
 * them, where the spec asks for it, those of several attributes at once. Each is one comparison for
 * every audited kind of effect, but for direct and indirect effects that the graph says are 0.
 *
 * <p>Descendants B of an attribute S among the features follow it into the other world, where their
 * values are unknown. Only those count that choose a cell or bear on p(z|x,a). A direct effect
 * holds them.
 *
 * <p>What a person does not disclose has the same unknown value in both worlds, and the cells of
 * all who do not disclose it average over different people in each. So both worlds run over its
 * values together, unless the graph separates it, see {@link TotalEffects#holdsWithout}. That uses
 * the cells of people who disclose it: who discloses must not depend on the reward given the
 * features.
 */
final class Counterfactuals {
  /** Bounds the worlds of one comparison. */
  private static final int MAX_JOINT_VALUES = 4096;

  /** Bounds the sets of undisclosed features whose answer is kept; others are computed again. */
  private static final int MAX_PATTERNS = 4096;

  private static final int[] NONE = {};

  private final List<SpecVariable> features;
  private final TotalEffects effects;
  private final List<KindLimit> kinds;
  private final boolean[] matters;
  private final boolean[] isOfCells;
  private final Intersections intersections;
  private final List<Attribute> attributes = new ArrayList<>();
  private final List<Attribute> sets = new ArrayList<>();

  /**
   * Describes one attribute, or several that are changed together.
   *
   * @param choosesCells whether W has one of them
   * @param movesMediators whether p(z|x,a) depends on one of them
   * @param expansions by what is undisclosed, what of it the comparisons run over
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Attribute(
      List<Integer> places,
      int[] followers,
      boolean choosesCells,
      boolean movesMediators,
      ConcurrentMap<BitSet, int[]> expansions) {
    boolean has(AuditEffectKind kind) {
      return switch (kind) {
        case DIRECT -> choosesCells;
        case INDIRECT -> movesMediators;
        default -> choosesCells || movesMediators || followers.length > 0;
      };
    }
  }

  Counterfactuals(
      SegmentSpec spec, SeparatingSet w, MediatorWeights weights, List<SpecFault> faults) {
    features = spec.variables().features();
    kinds = KindLimit.of(spec.fairness());
    effects = new TotalEffects(spec, w.variables());
    matters = new boolean[features.size()];
    isOfCells = new boolean[features.size()];
    for (int place = 0; place < matters.length; place++) {
      isOfCells[place] = w.variables().contains(features.get(place).name());
      matters[place] = isOfCells[place] || weights.dependsOn(place);
    }
    intersections = Intersections.of(spec);
    for (int place : spec.variables().sensitive()) {
      attributes.add(attribute(spec, List.of(place), weights, faults));
    }
    for (List<Integer> places : intersections.sets()) {
      sets.add(attribute(spec, places, weights, faults));
    }
    if (!audits(AuditEffectKind.TOTAL) && !hasEffects()) {
      faults.add(
          new SpecFault(
              "fairness.tau",
              "kinds of effects that the graph says are 0 of every attribute",
              "another kind, or a number: the total effect"));
    }
  }

  private boolean audits(AuditEffectKind kind) {
    return kinds.stream().anyMatch(limit -> limit.kind() == kind);
  }

  private Attribute attribute(
      SegmentSpec spec, List<Integer> places, MediatorWeights weights, List<SpecFault> faults) {
    List<String> names = places.stream().map(place -> features.get(place).name()).toList();
    Set<String> descendants = spec.graph().descendants(names);
    List<Integer> followers = new ArrayList<>();
    long joint = 1;
    for (int other = 0; other < features.size(); other++) {
      String feature = features.get(other).name();
      if (!places.contains(other) && descendants.contains(feature) && matters[other]) {
        followers.add(other);
        joint = Math.min(joint * features.get(other).disclosedLevels(), MAX_JOINT_VALUES + 1L);
      }
    }
    if (joint > MAX_JOINT_VALUES && audits(AuditEffectKind.TOTAL)) {
      faults.add(
          new SpecFault(
              "graph",
              "descendants of "
                  + String.join("*", names)
                  + " with more than "
                  + MAX_JOINT_VALUES
                  + " joint values",
              "fewer descendants among the features, or fewer levels"));
    }
    if (!followers.isEmpty() && audits(AuditEffectKind.INDIRECT)) {
      faults.add(
          new SpecFault(
              "fairness.tau.indirect",
              followers.stream().map(it -> features.get(it).name()).toList()
                  + " follow "
                  + String.join("*", names),
              "no limit: what a person already is cannot be drawn again for this person."
                  + " fairness.split shows it for groups"));
    }
    int[] following = followers.stream().mapToInt(i -> i).toArray();
    return new Attribute(
        places,
        following,
        places.stream().anyMatch(place -> isOfCells[place]),
        places.stream().anyMatch(weights::dependsOn),
        new ConcurrentHashMap<>());
  }

  boolean hasEffects() {
    return attributes.stream()
        .anyMatch(it -> kinds.stream().anyMatch(limit -> it.has(limit.kind())));
  }

  /** Returns the audited kinds that an attribute, by its place, can have. */
  List<AuditEffectKind> kinds(int place) {
    return attributes.stream()
        .filter(it -> it.places().get(0) == place)
        .flatMap(it -> kinds.stream().map(KindLimit::kind).filter(it::has))
        .toList();
  }

  /** Returns how many effects each comparison of an attribute, or of a set, has by its number. */
  int effectsOf(int number) {
    Attribute attribute =
        number < features.size()
            ? attributes.stream()
                .filter(it -> it.places().get(0) == number)
                .findFirst()
                .orElseThrow()
            : sets.get(number - features.size());
    return (int) kinds.stream().filter(limit -> isAudited(attribute, limit)).count();
  }

  private static boolean isAudited(Attribute attribute, KindLimit limit) {
    return limit.kind() == AuditEffectKind.TOTAL || attribute.has(limit.kind());
  }

  /**
   * Returns how many sets of cells the comparisons of all people and arms can have, at least 1: for
   * each level of W's actions among the arms, every block, if blocks are compared within
   * themselves, and every unordered pair of blocks that differ in an attribute and, for total
   * effects, its followers alone. Of two worlds one has all followers disclosed. Pairs of several
   * attributes count for each. Total and direct effects of a pair of blocks are over the same set.
   */
  double sets(CellLayout layout) {
    List<Attribute> all = new ArrayList<>(attributes);
    all.addAll(sets);
    boolean isWithin = false;
    double pairs = 0;
    for (Attribute attribute : all) {
      boolean isOfBlocks = attribute.choosesCells();
      if (audits(AuditEffectKind.TOTAL) && attribute.has(AuditEffectKind.TOTAL)) {
        isWithin |= !isOfBlocks;
        pairs += pairs(attribute, attribute.followers(), isOfBlocks);
      } else if (audits(AuditEffectKind.DIRECT) && isOfBlocks) {
        pairs += pairs(attribute, NONE, true);
      }
      isWithin |= audits(AuditEffectKind.INDIRECT) && attribute.has(AuditEffectKind.INDIRECT);
    }
    double sets = pairs + (isWithin ? blocks(List.of(), new int[0]) : 0);
    return Math.max(1, sets * layout.rows());
  }

  private double pairs(Attribute attribute, int[] followers, boolean isOfBlocks) {
    double ordered = 1;
    for (int place : attribute.places()) {
      double levels = features.get(place).disclosedLevels();
      ordered *= isOfCells[place] ? levels * (levels - 1) : 1;
    }
    double disclosed = 1;
    double sizes = 1;
    for (int place : followers) {
      if (isOfCells[place]) {
        disclosed *= features.get(place).disclosedLevels();
        sizes *= CellLayout.size(features.get(place));
      }
    }
    double worlds = disclosed * (2 * sizes - disclosed);
    double pairs = isOfBlocks ? ordered / 2 * worlds : (worlds - disclosed) / 2;
    return pairs * blocks(attribute.places(), followers);
  }

  /** Returns how many blocks agree on some places. */
  private double blocks(List<Integer> places, int[] followers) {
    double blocks = 1;
    for (int place = 0; place < isOfCells.length; place++) {
      int one = place;
      boolean isFixed = places.contains(one) || IntStream.of(followers).anyMatch(f -> f == one);
      blocks *= isOfCells[place] && !isFixed ? CellLayout.size(features.get(place)) : 1;
    }
    return blocks;
  }

  /** Returns the comparisons in the order attribute, factual value, counterfactual value, kind. */
  List<Comparison> of(int[] context) {
    List<Comparison> comparisons = new ArrayList<>();
    for (Attribute attribute : attributes) {
      int place = attribute.places().get(0);
      SpecVariable variable = features.get(place);
      int level = context[place];
      boolean isDisclosed = level != variable.undisclosed();
      for (int s = 0; s < variable.disclosedLevels(); s++) {
        for (int other = 0; other < variable.disclosedLevels(); other++) {
          if (s != other && (!isDisclosed || s == level)) {
            int[] factual = context.clone();
            factual[place] = s;
            int[] changed = context.clone();
            changed[place] = other;
            compare(place, s, other, factual, changed, attribute, comparisons);
          }
        }
      }
    }
    for (JointPair joint : intersections.of(context)) {
      Attribute set = sets.get(joint.attribute() - features.size());
      compare(
          joint.attribute(),
          joint.factual(),
          joint.counterfactual(),
          joint.factualOf(context),
          joint.counterfactualOf(context),
          set,
          comparisons);
    }
    return comparisons;
  }

  private void compare(
      int number,
      int s,
      int other,
      int[] factual,
      int[] changed,
      Attribute attribute,
      List<Comparison> comparisons) {
    for (KindLimit limit : kinds) {
      boolean isTotal = limit.kind() == AuditEffectKind.TOTAL;
      if (isAudited(attribute, limit)) {
        int[] expanded = isTotal ? expanded(attribute, factual) : undisclosed(factual);
        int[] followers = isTotal ? attribute.followers() : NONE;
        List<Worlds> worlds = worlds(factual, changed, attribute.places(), expanded, followers);
        EffectIdentification identification =
            worlds.isEmpty()
                ? EffectIdentification.NOT_IDENTIFIED
                : followers.length == 0 && expanded.length == 0
                    ? EffectIdentification.IDENTIFIED
                    : EffectIdentification.BOUNDED;
        comparisons.add(new Comparison(number, s, other, worlds, identification, limit));
      }
    }
  }

  private List<Worlds> worlds(
      int[] factual, int[] changed, List<Integer> places, int[] expanded, int[] followers) {
    List<Worlds> worlds = new ArrayList<>();
    if (joint(expanded) * joint(followers) <= MAX_JOINT_VALUES) {
      List<int[]> completed = new ArrayList<>();
      expand(factual, expanded, 0, completed);
      for (int[] here : completed) {
        int[] there = here.clone();
        places.forEach(place -> there[place] = changed[place]);
        List<int[]> others = new ArrayList<>();
        expand(there, followers, 0, others);
        others.forEach(world -> worlds.add(new Worlds(here, world)));
      }
    }
    return worlds;
  }

  /** Returns the undisclosed features that matter; a direct or indirect effect runs over them. */
  private int[] undisclosed(int[] context) {
    return IntStream.range(0, context.length)
        .filter(it -> matters[it] && context[it] == features.get(it).undisclosed())
        .toArray();
  }

  /** Returns the undisclosed features whose values the comparison must run over. */
  private int[] expanded(Attribute attribute, int[] context) {
    BitSet undisclosed = new BitSet();
    boolean isAnyOfInterest = false;
    for (int place = 0; place < context.length; place++) {
      if (context[place] == features.get(place).undisclosed()) {
        undisclosed.set(place);
        isAnyOfInterest |= matters[place];
      }
    }
    if (!isAnyOfInterest) {
      return NONE;
    }
    int[] known = attribute.expansions().get(undisclosed);
    if (known == null) {
      known =
          effects.holdsWithout(attribute.places(), undisclosed)
              ? NONE
              : undisclosed.stream().filter(place -> matters[place]).toArray();
      if (attribute.expansions().size() < MAX_PATTERNS) {
        attribute.expansions().put(undisclosed, known);
      }
    }
    return known;
  }

  private double joint(int[] places) {
    double joint = 1;
    for (int place : places) {
      joint *= features.get(place).disclosedLevels();
    }
    return joint;
  }

  private void expand(int[] context, int[] places, int next, List<int[]> worlds) {
    if (next == places.length) {
      worlds.add(context.clone());
      return;
    }
    int[] open = context.clone();
    for (int b = 0; b < features.get(places[next]).disclosedLevels(); b++) {
      open[places[next]] = b;
      expand(open, places, next + 1, worlds);
    }
  }
}
