package io.equipoise.policy.linear;

import io.equipoise.policy.features.Profile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The loan segment that a new user would write: three offers, four features, rewards of 0 and 1
 * near .55. One person in ten does not disclose the gender.
 */
public final class NewcomerWorld {
  static final int OFFERS = 3;

  private static final List<String> GENDERS = List.of("f", "m");
  private static final List<String> AGES = List.of("young", "middle", "old");
  private static final List<String> INCOMES = List.of("low", "mid", "high");
  private static final List<String> REGIONS = List.of("north", "south");
  private static final double[] MEANS = {.5, .55, .45};

  private final SplittableRandom random;
  private final double[] effects;

  /**
   * Starts a world.
   *
   * @param effects by offer, what it is worth more to one gender
   */
  public NewcomerWorld(long seed, double... effects) {
    random = new SplittableRandom(seed);
    this.effects = effects.clone();
  }

  /** One person; the gender may not be disclosed. */
  public record Person(int gender, boolean isDisclosed, int age, int income, int region) {
    Profile profile() {
      return Profile.of(isDisclosed ? gender : GENDERS.size(), age, income, region);
    }

    /** Returns the attributes of a context event. */
    public Map<String, Object> attributes() {
      Map<String, Object> attributes = new HashMap<>();
      if (isDisclosed) {
        attributes.put("gender", GENDERS.get(gender));
      }
      attributes.put("age", AGES.get(age));
      attributes.put("income", INCOMES.get(income));
      attributes.put("region", REGIONS.get(region));
      return attributes;
    }
  }

  /** Draws the next person. */
  public Person next() {
    int gender = random.nextInt(GENDERS.size());
    int age = random.nextInt(AGES.size());
    int income = random.nextInt(INCOMES.size());
    int region = random.nextInt(REGIONS.size());
    return new Person(gender, random.nextInt(10) != 0, age, income, region);
  }

  /** Draws the reward of an offer, 0 or 1. */
  public double reward(Person person, int offer) {
    double p =
        MEANS[offer]
            + .04 * (person.age() - 1)
            + .03 * (person.income() - 1)
            + .02 * person.region()
            + effects[offer] * (person.gender() - .5);
    return random.nextDouble() < p ? 1 : 0;
  }

  /**
   * Returns the spec.
   *
   * @param explore a line of the policy
   * @param fairness what follows tau and delta
   */
  public static String text(String explore, String fairness) {
    return """
           name: loans
           version: 1
           segments: default
           seed: 1
           variables:
             gender: {role: sensitive, levels: [f, m], missing: level}
             age: {role: context, levels: [young, middle, old]}
             income: {role: context, levels: [low, mid, high]}
             region: {role: context, levels: [north, south]}
             offer: {role: action, levels: [small, large, none]}
             repaid: {role: reward}
           graph: "dag { {gender age income region offer} -> repaid }"
           arms: all
           reward: {range: [0, 1]}
           policy:
             name: linucb
             model: shared
             alpha: 0.45
             constraint: hard
             features: [intercept, one-hot: age, one-hot: income, one-hot: region,
                        one-hot: gender, one-hot: offer,
                        product: [one-hot: gender, one-hot: offer]]
           %s
           fairness: {tau: 0.1, delta: 0.05%s}
           join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
           metrics: {every: 1000}
           on-incompatible-change: reject
           """
        .formatted(explore, fairness);
  }
}
