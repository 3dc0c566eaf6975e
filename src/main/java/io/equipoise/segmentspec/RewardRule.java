package io.equipoise.segmentspec;

import org.jspecify.annotations.Nullable;

/**
 * What rewards may be.
 *
 * @param range holds every conditional mean of the reward, and clips certificates
 * @param bounded whether what is learned lies in the range too: each single reward, and the
 *     aggregate of those of one decision, so that with {@link Aggregate#SUM} it is the range of the
 *     sum
 * @param scale the sub-Gaussian scale of one reward given its cell; half the range by default where
 *     bounded
 * @param byDefault the reward of a decision that stayed silent; none if null
 */
public record RewardRule(
    NumberRange range, boolean bounded, double scale, @Nullable DefaultReward byDefault) {
  /** Largest size of a reward, in any spec: with it the sums of every model keep their digits. */
  public static final double LARGEST = 1e9;

  /** An aggregate this far outside, as a part of the range's larger end, is there by rounding. */
  private static final double ROUNDING = 1e-9;

  /** Narrowest range, in any spec. */
  private static final double LEAST_WIDTH = 1e-9;

  /** Narrowest range, as a part of its larger end. */
  private static final double LEAST_PART = 1e-6;

  /** Largest quotient, and inverse of the smallest, of two numbers in units of the reward. */
  private static final double LARGEST_QUOTIENT = 1e9;

  /**
   * Returns what a range of rewards must be so that a model can compute with parts of it, for
   * people, or null if it is.
   */
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

  /** Says whether a model can learn a value. None can learn NaN. */
  public static boolean isLearnable(double reward) {
    return Math.abs(reward) <= LARGEST;
  }

  /** Returns why a reward cannot be taken, for people, or null if it can. */
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
