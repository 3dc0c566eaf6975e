package io.equipoise.policy.linear;

import io.equipoise.event.CertificateStatus;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.CertificateOutlook;
import io.equipoise.policy.LockIn;
import io.equipoise.policy.SegmentTraffic;
import io.equipoise.policy.SegmentTraffic.ArmTraffic;
import io.equipoise.policy.constraint.ContrastForecast;
import io.equipoise.policy.constraint.ContrastForecast.Learned;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.RememberedInputs;
import io.equipoise.policy.features.SensitivePairs;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.linear.KnownContrasts.PairContrast;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Forecasts what the arms of a spec lack to be certified, from N, V and the penalties of their
 * contrasts (docs/math/weighted-sums.md#forecasts). Works on copies, so that no running end moves.
 * Immutable.
 */
final class LinearOutlook {
  private static final int PEOPLE = 64;

  /** A predicted mean reward keeps this from the ends of the range, as a share of it. */
  private static final double MARGIN = 0.02;

  /** Rewards in the middle of the range that a base rate starts with. */
  private static final double START = 10;

  private final SegmentSpec spec;
  private final LinearRule rule;
  private final ContrastPlan plan;
  private final List<Map<Integer, List<Effect>>> effects;
  private final List<FeatureVector> people;

  /**
   * An effect of an arm.
   *
   * @param arms whose rewards count for its contrast
   */
  private record Effect(Pair pair, FeatureVector c, BitSet arms) {}

  /** A contrast with an interval of its own, and in a shared model the arms that have it. */
  private record Planned(FeatureVector c, BitSet arms) {}

  LinearOutlook(
      SegmentSpec spec,
      LinearRule rule,
      ContrastPlan plan,
      KnownContrasts known,
      FeatureEncoder encoder) {
    this.spec = spec;
    this.rule = rule;
    this.plan = plan;
    Map<List<Double>, Planned> planned = new HashMap<>();
    for (FeatureVector c : plan.known()) {
      planned.put(KnownContrasts.key(c), new Planned(c, new BitSet()));
    }
    effects = new ArrayList<>();
    people = new ArrayList<>();
    List<Profile> sample = SampledPeople.of(spec, PEOPLE);
    for (Profile arm : new RememberedInputs(spec).catalog()) {
      effects.add(effects(known, known.comparisons(arm), planned));
      people.add(mean(sample, arm, encoder));
    }
  }

  /** Returns an arm's effects by attribute, but for attributes with an effect without contrast. */
  private Map<Integer, List<Effect>> effects(
      KnownContrasts known, List<PairContrast> comparisons, Map<List<Double>, Planned> planned) {
    Map<Integer, List<Effect>> byAttribute = new TreeMap<>();
    Set<Integer> incomplete = new HashSet<>();
    for (int attribute : new SensitivePairs(spec).attributes()) {
      if (known.hidesSome(attribute)) {
        incomplete.add(attribute);
      }
    }
    for (PairContrast comparison : comparisons) {
      int attribute = comparison.pair().attribute();
      Planned effect = planned.get(KnownContrasts.key(comparison.c()));
      if (effect == null) {
        incomplete.add(attribute);
      } else {
        BitSet arms = rule.isShared ? effect.arms() : new BitSet();
        arms.set(effects.size());
        byAttribute
            .computeIfAbsent(attribute, any -> new ArrayList<>())
            .add(new Effect(comparison.pair(), effect.c(), arms));
      }
    }
    byAttribute.keySet().removeAll(incomplete);
    return byAttribute;
  }

  private static FeatureVector mean(List<Profile> people, Profile arm, FeatureEncoder encoder) {
    double[] sum = new double[encoder.dimension()];
    double[] x = new double[encoder.dimension()];
    for (Profile person : people) {
      encoder.encode(person, arm, x);
      for (int i = 0; i < x.length; i++) {
        sum[i] += x[i] / people.size();
      }
    }
    return FeatureVector.of(sum);
  }

  /**
   * Returns what is lacking.
   *
   * @param blocks to be read only
   * @param contrasts returns an arm's contrasts, adopted, in a copy
   */
  List<CertificateOutlook> of(
      LinearBlocks blocks, IntFunction<ContrastBlock> contrasts, SegmentTraffic traffic) {
    List<CertificateOutlook> outlooks = new ArrayList<>();
    Map<Integer, ContrastBlock> byKey = new HashMap<>();
    double[] means = new double[effects.size()];
    for (int arm = 0; arm < means.length; arm++) {
      int seen = traffic.arms().get(arm).position();
      int position = seen < 0 ? traffic.known() : seen;
      int key = rule.key(position);
      RidgeRegression ridge = blocks.complete(key);
      ContrastBlock block = byKey.computeIfAbsent(key, contrasts::apply);
      means[arm] = mean(blocks, arm, seen, blocks.ridge(key));
      Known known = new Known(arm, ridge, block, expected(ridge, means[arm]), traffic);
      effects.get(arm).forEach((attribute, all) -> add(known, attribute, all, outlooks));
    }
    return leavesOut(blocks, outlooks, traffic) ? LockIn.mark(outlooks, means, traffic) : outlooks;
  }

  /**
   * Returns whether open arms may be left out for good. A goal comes back to each of them until its
   * budget is spent and a certified arm is played.
   */
  private boolean leavesOut(
      LinearBlocks blocks, List<CertificateOutlook> outlooks, SegmentTraffic traffic) {
    if (!rule.earns()) {
      return rule.isScreening();
    }
    return rule.explore.isSpent(blocks.earning().tried())
        && outlooks.stream()
            .filter(it -> it.arm() == traffic.chosen())
            .allMatch(it -> it.status() == CertificateStatus.FAIR);
  }

  /** Returns the mean prediction over requests where it is kept, else over the spec's people. */
  private double mean(LinearBlocks blocks, int arm, int position, RidgeRegression ridge) {
    boolean isNoted = rule.earns() && position >= 0 && blocks.earning().isNoted(position);
    return isNoted ? blocks.earning().mean(position) : ridge.mean(people.get(arm));
  }

  /** Before data the base rate is the middle, where rewards vary most. */
  private Expected expected(RidgeRegression ridge, double mean) {
    double share = Math.max(MARGIN, Math.min(1 - MARGIN, plan.shareOfRange(mean)));
    double baseRate = (ridge.n * share + START / 2) / (ridge.n + START);
    return new Expected(plan.tau(), spec.fairness().delta(), baseRate, 1);
  }

  /** Holds what is known of one arm. */
  private record Known(
      int arm,
      RidgeRegression ridge,
      ContrastBlock block,
      Expected expected,
      SegmentTraffic traffic) {}

  private void add(
      Known known, int attribute, List<Effect> all, List<CertificateOutlook> outlooks) {
    double tau = plan.tau();
    double most = 0;
    double share = share(known.traffic(), all.get(0).arms());
    boolean isFair = true;
    boolean isUnfair = false;
    for (Effect effect : all) {
      Contrast contrast = known.block().of(known.ridge(), effect.c());
      if (contrast == null) {
        return; // the ellipsoid answers, which has no forecast
      }
      double lower = contrast.lower() / plan.span();
      double upper = contrast.upper() / plan.span();
      isUnfair |= Math.max(lower, -upper) > tau;
      if (Math.max(-lower, upper) > tau) {
        isFair = false;
        double needed = needed(known, effect, contrast, most);
        share = needed > most ? share(known.traffic(), effect.arms()) : share;
        most = Math.max(most, needed);
      }
    }
    outlooks.add(
        isFair || isUnfair
            ? new CertificateOutlook(
                known.arm(),
                attribute,
                isUnfair ? CertificateStatus.UNFAIR : CertificateStatus.FAIR,
                null,
                share,
                false)
            : CertificateOutlook.open(known.arm(), attribute, most, share));
  }

  private double needed(Known known, Effect effect, Contrast contrast, double least) {
    if (contrast.isRefuted()) {
      return CertificateForecast.NEVER;
    }
    double estimate = known.ridge().mean(effect.c());
    Learned learned =
        contrast.learned(
            known.block().lambdas(),
            contrast.observations() * shareSoFar(known, effect.arms()),
            estimate,
            contrast.imbalance(),
            1 / plan.span(),
            contrast.lower() / plan.span(),
            contrast.upper() / plan.span());
    ContrastForecast forecast =
        new ContrastForecast(
            known.expected(), known.ridge().dimension(), known.block().alpha(plan, contrast));
    return forecast.rewardsLeft(learned, levels(known.traffic(), effect.pair()), least);
  }

  /** Returns the share of the model's rewards that come from some arms. */
  private double shareSoFar(Known known, BitSet arms) {
    if (!rule.isShared) {
      return 1;
    }
    long own = arms.stream().mapToLong(arm -> known.traffic().arms().get(arm).decisions()).sum();
    return (double) own / Math.max(1, known.traffic().decisions());
  }

  private static double share(SegmentTraffic traffic, BitSet arms) {
    return arms.stream().mapToObj(traffic.arms()::get).mapToDouble(ArmTraffic::share).sum();
  }

  private Levels levels(SegmentTraffic traffic, Pair pair) {
    if (pair.joint() == null) {
      return new Levels(
          pair.attribute(),
          pair.factual(),
          pair.counterfactual(),
          share(traffic, pair.attribute(), pair.factual()),
          share(traffic, pair.attribute(), pair.counterfactual()));
    }
    double here = 1;
    double there = 1;
    for (int i = 0; i < pair.joint().places().size(); i++) {
      here *= share(traffic, pair.joint().places().get(i), pair.joint().here().get(i));
      there *= share(traffic, pair.joint().places().get(i), pair.joint().there().get(i));
    }
    return new Levels(pair.attribute(), pair.factual(), pair.counterfactual(), here, there);
  }

  private double share(SegmentTraffic traffic, int place, int level) {
    int number = spec.variables().sensitive().indexOf(place);
    int disclosed = spec.variables().features().get(place).disclosedLevels();
    return traffic.levelShare(number, level, disclosed);
  }

  /** Stands for all people of a spec by some who disclose everything. */
  private static final class SampledPeople {
    private SampledPeople() {}

    /**
     * Returns people evenly apart in the order of all joint levels, the last variable's the
     * fastest; all of them if they are few. A number is the middle of its level.
     *
     * @param most the most people
     */
    static List<Profile> of(SegmentSpec spec, int most) {
      List<SpecVariable> features = spec.variables().features();
      double all = 1;
      for (SpecVariable variable : features) {
        all *= variable.disclosedLevels();
      }
      int count = (int) Math.min(all, most);
      List<Profile> people = new ArrayList<>(count);
      for (int number = 0; number < count; number++) {
        people.add(person(features, Math.floor(number * (all / count))));
      }
      return people;
    }

    private static Profile person(List<SpecVariable> features, double number) {
      int[] levels = new int[features.size()];
      double left = number;
      for (int place = levels.length - 1; place >= 0; place--) {
        int size = features.get(place).disclosedLevels();
        levels[place] = (int) (left % size);
        left = Math.floor(left / size);
      }
      List<Double> numbers = new ArrayList<>();
      for (int place = 0; place < levels.length; place++) {
        if (features.get(place).isNumeric()) {
          numbers.add(features.get(place).middle(levels[place]));
        }
      }
      return new Profile(levels, numbers.stream().mapToDouble(it -> it).toArray());
    }
  }
}
