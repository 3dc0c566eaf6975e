package io.equipoise.policy;

import java.util.function.DoublePredicate;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Forecasts from a spec alone when a policy's effects are certified. Rewards, effects and tau are
 * shares of the range of rewards. Immutable.
 */
public interface CertificateForecast {
  /** How many standard deviations the estimate's error exceeds in half of all runs. */
  double MEDIAN = 0.6745;

  /** Likewise in one of ten runs. */
  double NINETY_PERCENT = 1.6449;

  /** The finding where not all effects of a spec have an interval of their own. */
  String ELLIPSOID_LEFT =
      "the ellipsoid, which certifies later, bounds effects that depend on a number, and those"
          + " beyond fairness.certificates.contrasts";

  /** A forecast of more decisions is reported as hopeless. */
  double HOPELESS = 100_000;

  /** A forecast of this many decisions means never. */
  double NEVER = 1e9;

  /**
   * Holds what is expected of a segment.
   *
   * @param tau the threshold, above 0
   * @param delta of the spec
   * @param baseRate mean reward, in (0, 1)
   * @param answered share of the decisions whose reward arrives, in (0, 1]
   */
  record Expected(double tau, double delta, double baseRate, double answered) {
    /** Checks the ranges. */
    public Expected {
      if (!(tau > 0 && tau < Double.POSITIVE_INFINITY)
          || !(delta > 0 && delta < 1)
          || !(baseRate > 0 && baseRate < 1)
          || !(answered > 0 && answered <= 1)) {
        throw new IllegalArgumentException(
            "tau %s must be above 0, delta %s and base rate %s in (0, 1), answered share %s in (0, 1]"
                .formatted(tau, delta, baseRate, answered));
      }
    }
  }

  /**
   * Asks for the forecast of an arm's comparison of two levels of an attribute.
   *
   * @param levels what is compared
   * @param armShare share of the decisions that play the arm
   * @param effect true size of the effect
   */
  record Question(Levels levels, double armShare, double effect) {}

  /**
   * Pairs two levels of a sensitive attribute with their shares.
   *
   * @param attribute place of the attribute among the features
   * @param one the one level
   * @param other the other level
   * @param oneShare share of the people with the one level
   * @param otherShare share of the people with the other level
   */
  record Levels(int attribute, int one, int other, double oneShare, double otherShare) {}

  /**
   * Returns the decisions of the segment until the interval lies within a limit; at most {@link
   * #NEVER}.
   *
   * @param quantile {@link #MEDIAN} or {@link #NINETY_PERCENT}
   */
  double decisions(Question question, double limit, double quantile);

  /** Returns the forecast of each arm after the first certified one. */
  default CertificateForecast further() {
    return this;
  }

  /**
   * Returns whether the rewards of all arms count for the first certificate of a comparison, so
   * that it does not wait for the target of a goal.
   */
  default boolean isOfAllArms(Levels levels) {
    return false;
  }

  /** Returns whether a comparison has no interval of its own, but the one of all coefficients. */
  default boolean isOfEllipsoid(Levels levels) {
    return false;
  }

  /** Returns the probability that the interval lies within tau after some decisions. */
  double certified(Question question, double decisions);

  /** Returns the fewest decisions after which a claim holds; at most {@link #NEVER}. */
  static double fewest(DoublePredicate holdsAfter) {
    double low = 10;
    double high = NEVER;
    for (int step = 0; step < 40; step++) {
      double middle = Math.sqrt(low * high);
      boolean holds = holdsAfter.test(middle);
      low = holds ? low : middle;
      high = holds ? middle : high;
    }
    return high;
  }

  /**
   * Returns the probability that an interval lies within tau.
   *
   * @param tau the threshold
   * @param effect expectation of the estimate
   * @param halfWidth of the interval
   * @param deviation standard deviation of the estimate
   */
  static double within(double tau, double effect, double halfWidth, double deviation) {
    double room = tau - halfWidth;
    if (room < 0 || deviation == 0) {
      return Math.abs(effect) <= room ? 1 : 0;
    }
    NormalDistribution estimate = new NormalDistribution(null, effect, deviation);
    return estimate.cumulativeProbability(room) - estimate.cumulativeProbability(-room);
  }
}
