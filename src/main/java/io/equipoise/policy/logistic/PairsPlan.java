package io.equipoise.policy.logistic;

import io.equipoise.event.AuditInterval;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.logistic.OddsBounds.Bound;
import io.equipoise.policy.logistic.OddsBounds.OddsRange;
import io.equipoise.policy.tabular.BetaMixture;
import io.equipoise.segmentspec.Arms;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.Intersections;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Determines which people of an arm matched pairs compare, and how delta is shared: {@value
 * #OF_PAIRS} of it by all pairs of levels and arms, the rest by the base rates of all cells. A cell
 * is a joint level of all that the features show of people, a stratum one of all but the attribute.
 * Immutable.
 */
final class PairsPlan {
  /** The most strata of an arm, over all pairs of levels. */
  static final int MOST_STRATA = 1024;

  private static final String KEY = "fairness.certificates.interval";
  private static final String ALLOWED =
      "contrast, or policy.features of one-hot terms, in which sensitive attributes are multiplied"
          + " with action variables only: pairs need one effect on the log odds for all people";
  private static final double OF_PAIRS = 0.95;

  /** Arms of the first version have one share, each later one has its own. */
  private static final int MOST_KEPT = 64;

  /** The largest tau that alternatives are made for; of 1 they would be infinite. */
  private static final double LARGEST_TAU = 0.9;

  /** Log odds of chances that are 0 or 1 to all digits. */
  private static final double LARGEST_ODDS = 800;

  private final List<Shown> shown = new ArrayList<>();
  private final List<Attribute> attributes = new ArrayList<>();
  private final EffectScale effects;

  /** The number of cells of an arm. */
  final int cells;

  private final int tests;

  /** How many arms the spec has. */
  final int arms;

  private final double delta;
  private final ConcurrentMap<Double, BetaMixture> baseRates = new ConcurrentHashMap<>();
  private final boolean isSticky;

  /** A variable of people that the features show; its levels count by the weight in a cell. */
  private record Shown(int place, int weight) {}

  /**
   * A sensitive attribute.
   *
   * @param weight in a cell; 0 of one that no feature shows
   * @param first place of the test of its two lowest levels
   * @param anchor the difference of log odds that tau allows at even odds
   */
  private record Attribute(int place, int levels, int weight, int first, double anchor) {
    int test(int one, int other) {
      int higher = Math.max(one, other);
      return first + higher * (higher - 1) / 2 + Math.min(one, other);
    }

    int tests() {
      return weight == 0 ? 0 : levels * (levels - 1) / 2;
    }
  }

  /**
   * Plans for a spec without {@link #faults}.
   *
   * @param parameters with a limit for each sensitive attribute
   */
  PairsPlan(SegmentSpec spec, FeatureMap features, PolicyParameters parameters) {
    effects = parameters.effects();
    List<SpecVariable> people = spec.variables().features();
    int weight = 1;
    for (int place = 0; place < people.size(); place++) {
      if (features.variables().contains(people.get(place).name())) {
        shown.add(new Shown(place, weight));
        weight *= people.get(place).disclosedLevels();
      }
    }
    cells = weight;
    int first = 0;
    for (int place : spec.variables().sensitive()) {
      double tau = parameters.limits().get(attributes.size()).tau();
      double anchor =
          effects.atEvenOdds(effects == EffectScale.PROBABILITY ? Math.min(LARGEST_TAU, tau) : tau);
      int levels = people.get(place).disclosedLevels();
      Attribute attribute = new Attribute(place, levels, weight(place), first, anchor);
      attributes.add(attribute);
      first += attribute.tests();
    }
    tests = first;
    arms = spec.arms().size();
    delta = spec.fairness().delta();
    isSticky = spec.fairness().certificates().sticky();
  }

  private int weight(int place) {
    return shown.stream().filter(one -> one.place() == place).mapToInt(Shown::weight).sum();
  }

  /** Returns what forbids pairs of a spec. */
  static List<SpecFault> faults(SegmentSpec spec, FeatureMap features) {
    List<SpecFault> faults = new ArrayList<>();
    if (!Intersections.of(spec).sets().isEmpty()) {
      faults.add(
          new SpecFault(
              KEY,
              "pairs with fairness.intersections: true",
              "contrast, or intersections: false: pairs compare the levels of one attribute"));
    }
    for (FeatureTerm term : features.terms()) {
      String misfit = misfit(spec, term);
      if (misfit != null) {
        faults.add(new SpecFault(KEY, "pairs with " + misfit, ALLOWED));
      }
    }
    double strata = strata(spec, features);
    if (strata > MOST_STRATA) {
      faults.add(
          new SpecFault(
              KEY,
              "pairs with " + (long) strata + " strata of an arm",
              "at most "
                  + MOST_STRATA
                  + ", the joint levels of all other variables that policy.features shows times the"
                  + " pairs of levels: fewer features or levels, or contrast"));
    }
    return faults;
  }

  /** Returns what in a term may make an effect on the log odds differ from person to person. */
  private static @Nullable String misfit(SegmentSpec spec, FeatureTerm term) {
    Set<String> names = new FeatureMap(List.of(term)).variables();
    List<SpecVariable> people =
        spec.variables().features().stream().filter(one -> names.contains(one.name())).toList();
    if (people.isEmpty()) {
      return null;
    }
    String all = String.join(" and ", people.stream().map(SpecVariable::name).toList());
    if (!isOfLevels(term)) {
      return "a number, level or match of " + all;
    }
    boolean isSensitive = people.stream().anyMatch(one -> one.role() == VariableRole.SENSITIVE);
    return isSensitive && people.size() > 1 ? "a product of " + all : null;
  }

  /**
   * Returns whether one feature of a term is 1 for everybody: then all vectors are equally long.
   */
  private static boolean isOfLevels(FeatureTerm term) {
    return term instanceof FeatureTerm.Product product
        ? isOfLevels(product.left()) && isOfLevels(product.right())
        : term instanceof FeatureTerm.Intercept || term instanceof FeatureTerm.OneHot;
  }

  /** Returns the strata of an arm, over all pairs of levels. */
  private static double strata(SegmentSpec spec, FeatureMap features) {
    double cells = 1;
    double pairsOverLevels = 0;
    for (SpecVariable variable : spec.variables().features()) {
      if (features.variables().contains(variable.name())) {
        int levels = variable.disclosedLevels();
        cells *= levels;
        pairsOverLevels += variable.role() == VariableRole.SENSITIVE ? (levels - 1) / 2.0 : 0;
      }
    }
    return cells * pairsOverLevels;
  }

  /** Returns the number of strata of every test. */
  int[] strata() {
    int[] strata = new int[tests];
    for (Attribute attribute : attributes) {
      int to = attribute.first() + attribute.tests();
      Arrays.fill(strata, attribute.first(), to, cells / attribute.levels());
    }
    return strata;
  }

  /**
   * Goes on with an arm's block under this plan.
   *
   * @param share the arm's part of delta
   */
  void adopt(PairsBlock block, double share) {
    double threshold = threshold(delta, share);
    for (Attribute attribute : attributes) {
      for (int test = 0; test < attribute.tests(); test++) {
        block.test(attribute.first() + test).adopt(attribute.anchor(), threshold);
      }
    }
  }

  private double threshold(double delta, double share) {
    return StrictMath.log(2.0 * Math.max(1, tests) / (OF_PAIRS * delta * share));
  }

  /** Returns when effects can be expected to be certified. */
  PairsForecast forecast(Expected expected) {
    double share = DeltaShares.share(0, arms);
    double threshold = threshold(expected.delta(), share) - StrictMath.log(DeltaShares.share(0, 1));
    BetaMixture baseRate = new BetaMixture(0, 1, (1 - OF_PAIRS) * expected.delta() * share / cells);
    Map<Integer, Integer> strata = new HashMap<>();
    attributes.forEach(one -> strata.put(one.place(), cells / one.levels()));
    return new PairsForecast(expected, effects, threshold, baseRate, strata);
  }

  /**
   * Takes a reward into the block of its arm.
   *
   * @param share the arm's part of delta
   * @param levels of a person who discloses all that the features show
   */
  void observe(PairsBlock block, double share, int[] levels, boolean isOne) {
    adopt(block, share);
    int cell = cell(levels);
    block.count(cell, isOne);
    for (Attribute attribute : attributes) {
      int own = levels[attribute.place()];
      for (int other = 0; attribute.weight() > 0 && other < attribute.levels(); other++) {
        if (other != own) {
          PairTest test = block.test(attribute.test(own, other));
          test.observe(stratum(cell, attribute), own > other, isOne, isSticky);
        }
      }
    }
  }

  private int cell(int[] levels) {
    int cell = 0;
    for (Shown one : shown) {
      cell += levels[one.place()] * one.weight();
    }
    return cell;
  }

  private static int stratum(int cell, Attribute attribute) {
    int weight = attribute.weight();
    return cell / (weight * attribute.levels()) * weight + cell % weight;
  }

  /**
   * Returns the bound of an effect; null of an attribute that no feature shows.
   *
   * @param block of the arm, adopted; null before its first reward
   * @param share the arm's part of delta
   * @param constraint place among the sensitive attributes
   * @param levels of the person in the factual world, all that features show disclosed
   * @param other level in the counterfactual world
   */
  @Nullable Bound bound(
      @Nullable PairsBlock block, double share, int constraint, int[] levels, int other) {
    Attribute attribute = attributes.get(constraint);
    if (attribute.weight() == 0) {
      return null;
    }
    if (block == null) {
      double any = effects == EffectScale.PROBABILITY ? 1 : 2 * LARGEST_ODDS;
      return new Bound(AuditInterval.PAIRS, -any, any, 0, 0);
    }
    int own = levels[attribute.place()];
    PairTest test = block.test(attribute.test(own, other));
    int cell = cell(levels);
    return Bound.of(
        AuditInterval.PAIRS,
        baseRate(block, share, cell),
        baseRate(block, share, cell + (other - own) * attribute.weight()),
        other > own ? test.lower() : -test.upper(),
        other > own ? test.upper() : -test.lower(),
        0,
        0,
        effects);
  }

  /** Returns what the log odds of a cell may be. */
  private OddsRange baseRate(PairsBlock block, double share, int cell) {
    double[] ends = {0, 1};
    if (block.rewards(cell) > 0) {
      if (baseRates.size() >= MOST_KEPT) {
        baseRates.clear();
      }
      double alpha = (1 - OF_PAIRS) * delta * share / cells;
      BetaMixture interval = baseRates.computeIfAbsent(alpha, any -> new BetaMixture(0, 1, any));
      interval.limit((double) block.rewards(cell), (double) block.ones(cell), ends);
    }
    return new OddsRange(odds(ends[0]), odds(ends[1]));
  }

  static double odds(double p) {
    double odds = StrictMath.log(p) - StrictMath.log1p(-p);
    return Math.max(-LARGEST_ODDS, Math.min(LARGEST_ODDS, odds));
  }

  /**
   * Bounds the effects of one request's candidates by matched pairs. An arm that the spec does not
   * have has none, and its effects may be of any size. Valid until the next reward.
   *
   * @param first how many arms there were at first
   * @param blocks the block of each arm by its position; null before its first reward
   */
  record PairBounds(
      PairsPlan plan, Arms arms, int first, Request asked, IntFunction<@Nullable PairsBlock> blocks)
      implements OddsBounds {
    @Override
    public @Nullable Bound of(
        RequestPoints points, int candidate, int constraint, int alternative) {
      LogisticRequest request = points.request;
      Candidate arm = asked.candidates().get(candidate);
      boolean isKept = arm.position() >= 0 && arms.indexOf(arm.id()) >= 0;
      PairsBlock block = isKept ? blocks.apply(arm.position()) : null;
      double share = DeltaShares.share(Math.max(0, arm.position()), first);
      if (block != null) {
        plan.adopt(block, share);
      }
      return plan.bound(
          block,
          share,
          constraint,
          request.worlds().get(constraint).get(alternative),
          request.alternatives().get(constraint).get(alternative).counterfactual());
    }
  }

  /**
   * Forecasts the intervals of matched pairs from the pairs that can be expected. In a stratum
   * whose people have the two levels with the shares s and t of them, a pair takes 1 + s/t + t/s
   * rewards: a half, and those until one of the other level. At the base rate p a pair is
   * discordant with the chance 2 p (1 - p).
   */
  static final class PairsForecast extends OddsForecast {
    private final double threshold;
    private final BetaMixture baseRate;
    private final Map<Integer, Integer> strata;

    /**
     * Prepares forecasts.
     *
     * @param threshold of the log wealth
     * @param baseRate bounds the mean of a cell
     * @param strata how many each attribute has, by its place
     */
    PairsForecast(
        Expected expected,
        EffectScale effects,
        double threshold,
        BetaMixture baseRate,
        Map<Integer, Integer> strata) {
      super(expected, effects);
      this.threshold = threshold;
      this.baseRate = baseRate;
      this.strata = strata;
    }

    @Override
    @Nullable Bound after(double decisions, Question question, double quantile) {
      int strata = this.strata.get(question.levels().attribute());
      double one = question.levels().oneShare();
      double other = question.levels().otherShare();
      double rewards = expected.answered() * decisions * question.armShare() / strata;
      double cycle = 1 + one / other + other / one;
      double isOpen = 1 - 1 / cycle;
      double pairs = strata * Math.max(0, rewards * (one + other) / cycle - isOpen / 2);
      double discordant = 2 * slope() * pairs;
      if (discordant < 1) {
        return null;
      }
      double middle = question.effect() / slope();
      double ones =
          Math.min(
              discordant,
              discordant * Logistic.mean(middle)
                  + quantile * Math.sqrt(discordant * Logistic.slope(middle)));
      double none = Double.POSITIVE_INFINITY;
      double open = strata * isOpen;
      double anchor =
          effects.atEvenOdds(
              effects == EffectScale.LOG_ODDS
                  ? expected.tau() / slope()
                  : Math.min(.9, expected.tau()));
      double most = PairTest.end(discordant, ones, open, anchor, threshold, none);
      double least = -PairTest.end(discordant, discordant - ones, open, anchor, threshold, none);
      return Bound.of(
          AuditInterval.PAIRS,
          range(rewards * one, 2 * strata),
          range(rewards * other, 2 * strata),
          least,
          most,
          0,
          0,
          effects);
    }

    /** Returns the log odds of the cell that looks furthest from even odds, of so many cells. */
    private OddsRange range(double rewards, int cells) {
      int n = (int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.rint(rewards)));
      double rate = expected.baseRate();
      double least = 1 - StrictMath.pow(.5, 1.0 / cells);
      double rarer = Math.min(rate, 1 - rate);
      double ones = new BinomialDistribution(null, n, rarer).inverseCumulativeProbability(least);
      double[] ends = new double[2];
      baseRate.limit(n, rate <= .5 ? ones : n - ones, ends);
      return new OddsRange(PairsPlan.odds(ends[0]), PairsPlan.odds(ends[1]));
    }
  }
}
