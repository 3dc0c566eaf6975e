package io.equipoise.segmentspec;

import org.jspecify.annotations.Nullable;

/**
 * Limits which rewards are learned.
 *
 * @param range holds every conditional mean of the reward, and clips certificates
 * @param bounded whether every learned value is in the range too: each single reward, and the
 *     aggregate of a decision's rewards, so that with {@link Aggregate#SUM} it is the range of the
 *     sum
 * @param scale the sub-Gaussian scale of one reward given its cell; half the range by default where
 *     bounded
 * @param byDefault the reward of a decision that got none by the end of its window; none if null
 */
public record RewardRule(
    NumberRange range, boolean bounded, double scale, @Nullable DefaultReward byDefault) {
  /** Largest size of a reward, in any spec: with it the sums of every model keep their digits. */
  public static final double LARGEST = 1e9;

  /**
   * Largest excess of an aggregate that counts as rounding, as a part of the range's larger end.
   */
  private static final double ROUNDING = 1e-9;

  /** Narrowest range, in any spec. */
  private static final double LEAST_WIDTH = 1e-9;

  /** Narrowest range, as a part of its larger end. */
  private static final double LEAST_PART = 1e-6;

  /** Largest quotient, and inverse of the smallest, of two numbers in units of the reward. */
  private static final double LARGEST_QUOTIENT = 1e9;

  /** Returns a message on which ranges models can compute with, or null if this is one of them. */
  public static @Nullable String faultOf(NumberRange range) {
    double end = Math.max(Math.abs(range.low()), Math.abs(range.high()));
    if (!isLearnable(end)) {
      return "numbers from -%.0f to %1$.0f, because no model takes larger rewards; use a larger unit"
          .formatted(LARGEST);
    }
    double least = Math.max(LEAST_WIDTH, LEAST_PART * end);
    return range.width() >= least
        ? null
        : "a width of at least %s, so that rewards keep their digits; give them in another unit"
            .formatted(Field.shown(least));
  }

  /**
   * Reports a positive number in units of the reward that models cannot compare with the range:
   * they divide one by the other, and square the quotient. The limits never exceed that of the key.
   */
  void checkQuotient(Section section, String key, double number) {
    Field field = section.get(key);
    double width = range.width();
    double least = width / LARGEST_QUOTIENT;
    double most = Math.min(width * LARGEST_QUOTIENT, section.most(key));
    if (field != null && (number < least || number > most)) {
      field.fault(
          "%s to %s: from a billionth to a billion times the width of reward.range"
              .formatted(Field.shown(least), Field.shown(most)));
    }
  }

  /** Returns whether a model can learn a value; false for NaN. */
  public static boolean isLearnable(double reward) {
    return Math.abs(reward) <= LARGEST;
  }

  /** Returns a message on why a reward cannot be learned, or null if it can. */
  public @Nullable String refusalOf(double reward) {
    if (bounded) {
      return range.contains(reward)
          ? null
          : "rewards lie in [%s, %s]; declare bounded: false if single ones may not"
              .formatted(Field.shown(range.low()), Field.shown(range.high()));
    }
    return isLearnable(reward)
        ? null
        : "no model takes rewards beyond %.0f or below -%1$.0f; give them in a larger unit"
            .formatted(LARGEST);
  }

  /** Returns an aggregate, or the end of the range that it has left by rounding only. */
  public double withoutRounding(double aggregate) {
    double nearest = Math.max(range.low(), Math.min(range.high(), aggregate));
    double most = ROUNDING * Math.max(Math.abs(range.low()), Math.abs(range.high()));
    return bounded && Math.abs(aggregate - nearest) <= most ? nearest : aggregate;
  }
}
