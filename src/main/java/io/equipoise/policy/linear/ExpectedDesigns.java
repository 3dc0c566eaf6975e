package io.equipoise.policy.linear;

import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.constraint.EarnRule;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.RememberedInputs;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@linkplain ExpectedDesign designs} of a spec's forecasts. The first certified arm is
 * the one whose features are nearest to the mean of all arms: of it all rewards say most. Each
 * further one lies in the middle between that and the farthest. At most {@value #MOST_ARMS} arms
 * stand for all. Safe for use by many threads.
 */
public final class ExpectedDesigns {
  /** A design of more features would take minutes. */
  private static final int MOST_FEATURES = 256;

  private static final int MOST_ARMS = 16;
  private static final int FEW_PEOPLE = 16;

  /** Designs are made for so many shares in every factor of 2. */
  private static final int SHARES = 4;

  /** Other arms that are played less than this share of the own one do not count. */
  private static final int LEAST = -10 * SHARES;

  private final double lambda;
  private final List<SpecVariable> people;
  private final FeatureMap features;
  private final BiFunction<Profile, Profile, double[]> encoded;
  private final ExploreSpec explore;
  private final boolean isShared;
  private final int all;

  /** Arms that stand for all, the nearest to their mean first. */
  private final List<Profile> arms;

  private final Map<List<Object>, ExpectedDesign> known = new ConcurrentHashMap<>();

  /**
   * Prepares designs.
   *
   * @param lambda the ridge
   * @param isShared whether one model learns from all arms
   * @param encoded makes the features of a person with an arm
   */
  public ExpectedDesigns(
      double lambda,
      SegmentSpec spec,
      FeatureMap features,
      boolean isShared,
      BiFunction<Profile, Profile, double[]> encoded) {
    this.lambda = lambda;
    this.features = features;
    this.encoded = encoded;
    this.isShared = isShared;
    people = spec.variables().features();
    ExploreSpec stated = spec.policy().family().explore();
    explore = stated == null ? ExploreSpec.NEVER : stated;
    List<Profile> catalog = new RememberedInputs(spec).catalog();
    all = isShared ? catalog.size() : 1;
    arms = byDistance(sample(catalog.subList(0, all)));
  }

  /** Returns arms evenly apart, the first and the last among them. */
  static List<Profile> sample(List<Profile> arms) {
    int count = Math.min(arms.size(), MOST_ARMS);
    return IntStream.range(0, count)
        .mapToObj(place -> arms.get(place * (arms.size() - 1) / Math.max(1, count - 1)))
        .toList();
  }

  private List<Profile> byDistance(List<Profile> sample) {
    List<Profile> few = ExpectedDesign.people(people, FEW_PEOPLE);
    Map<Profile, double[]> means = new HashMap<>();
    double[] middle = new double[0];
    for (Profile arm : sample) {
      double[] mean = new double[encoded.apply(few.get(0), arm).length];
      middle = middle.length == 0 ? new double[mean.length] : middle;
      for (Profile person : few) {
        double[] x = encoded.apply(person, arm);
        for (int i = 0; i < x.length; i++) {
          mean[i] += x[i] / few.size();
          middle[i] += x[i] / few.size() / sample.size();
        }
      }
      means.put(arm, mean);
    }
    double[] center = middle;
    List<Profile> sorted = new ArrayList<>(sample);
    sorted.sort(Comparator.comparing(arm -> (float) distance(means.get(arm), center)));
    return sorted;
  }

  private static double distance(double @Nullable [] one, double[] other) {
    double sum = 0;
    for (int i = 0; one != null && i < other.length; i++) {
      sum += (one[i] - other[i]) * (one[i] - other[i]);
    }
    return sum;
  }

  /** Returns whether a design takes too long. */
  public boolean areTooLarge() {
    return ExpectedDesign.people(people, ExpectedDesign.PEOPLE).stream()
            .flatMapToInt(person -> nonzero(encoded.apply(person, arms.get(0))))
            .distinct()
            .count()
        > MOST_FEATURES;
  }

  /** Returns why there is no forecast, if it would take too long; null else. */
  public static @Nullable String whyNoForecast(boolean isTooLarge) {
    return isTooLarge
        ? "an arm's people show more than %d features, which take too long; simulate plays the spec"
            .formatted(MOST_FEATURES)
        : null;
  }

  private static IntStream nonzero(double[] x) {
    return IntStream.range(0, x.length).filter(i -> x[i] != 0);
  }

  /** Returns whether one model learns from all arms. */
  boolean isShared() {
    return isShared;
  }

  /** Returns how many arms have the model. */
  public int arms() {
    return all;
  }

  /**
   * Returns whether a goal has no single arm to play for the first certificate, because the rewards
   * of all arms count for it.
   */
  boolean areOfAllArms(Levels levels) {
    return explore.earns() && of(levels, 1, 0, false).isOfAllArms;
  }

  /**
   * Returns the plays of each other arm that come with those of an arm.
   *
   * @param decisions of the segment; ignored where exploration has a target
   */
  public double ofEachOther(double decisions, double own) {
    double others = decisions - own;
    if (explore.earns()) {
      others = EarnRule.decisions(explore.over(), own) - own;
      others += EarnRule.turns(all) * (all - 1.0);
    }
    return others / Math.max(1, all - 1);
  }

  /**
   * Returns the design of an arm.
   *
   * @param own its plays
   * @param ofEachOther plays of each other arm
   * @param isFurther whether another arm was certified first, which the rule then plays most
   */
  public ExpectedDesign of(Levels levels, double own, double ofEachOther, boolean isFurther) {
    ExpectedDesign alone =
        known.computeIfAbsent(List.of(levels, isFurther), any -> design(levels, 0, isFurther));
    double others = ofEachOther * Math.max(1, all - 1) / Math.max(1, arms.size() - 1);
    int steps = (int) Math.rint(SHARES * Math.log(others / own) / Math.log(2));
    return alone.isAlone || !(steps > LEAST)
        ? alone
        : known.computeIfAbsent(
            List.of(levels, isFurther, steps),
            any -> design(levels, Math.pow(2, (double) steps / SHARES), isFurther));
  }

  private ExpectedDesign design(Levels levels, double ofEachOther, boolean isFurther) {
    int own = isFurther ? arms.size() / 2 : 0;
    double[] plays = new double[arms.size()];
    for (int arm = 0; arm < plays.length; arm++) {
      plays[arm] = isFurther ? 1 : ofEachOther;
    }
    if (isFurther) {
      plays[0] = Math.max(0, ofEachOther * (arms.size() - 1) - (arms.size() - 2));
    }
    plays[own] = 1;
    return new ExpectedDesign(
        lambda,
        levels,
        people,
        features.variables(),
        plays,
        own,
        (person, arm) -> encoded.apply(person, arms.get(arm)));
  }
}
