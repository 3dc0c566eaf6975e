package io.equipoise.job.check;

import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Question;
import io.equipoise.policy.constraint.EarnRule;
import io.equipoise.segmentspec.ExploreSpec;

/**
 * Forecasts how fast the target of a goal of exploration gets decisions of its own.
 *
 * <p>The share of a target follows what the rule expects it to lack, which it takes from the width
 * of the interval so far as if that shrank by the root of the rewards
 * (docs/math/earn-while-certifying.md#definitions). At first it shrinks faster, above all where
 * rewards are rare, so the rule expects too many and gives the least share. Immutable.
 */
final class TargetPace {
  private static final int STEPS = 40;

  /** The widest interval that the rule extrapolates, as a share of the range. */
  private static final double WIDEST = 0.7;

  /** The information below which it does not. */
  private static final double LEAST_INFORMATION = 50;

  private final ExploreSpec.Over over;

  /** Own decisions after which the interval has the next width, and what the rule then expects. */
  private final double[] own = new double[STEPS + 1];

  private final double[] expected = new double[STEPS + 1];

  /**
   * Prepares the forecast of a pair.
   *
   * @param question what is compared; its share does not count
   * @param tau threshold, a share of the range
   */
  TargetPace(CertificateForecast forecast, Question question, double tau, ExploreSpec.Over over) {
    this.over = over;
    double room = Math.max(tau - question.effect(), tau / 5);
    double one = question.levels().oneShare();
    double other = question.levels().otherShare();
    double information = one * other / (one + other);
    for (int step = 0; step <= STEPS; step++) {
      double width = WIDEST * Math.pow(Math.min(1, tau / WIDEST), (double) step / STEPS);
      own[step] = forecast.decisions(new Question(question.levels(), 1, 0), width, 0);
      double wide = width / room;
      expected[step] =
          own[step] * information > LEAST_INFORMATION ? own[step] * wide * wide : own[step];
    }
  }

  /** Returns about how many decisions bring a target so many of its own, if it needs them all. */
  double decisions(double needed) {
    double decisions = 0;
    double before = 0;
    for (int step = 0; step <= STEPS + 1 && before < needed; step++) {
      double now = step > STEPS ? needed : Math.min(needed, own[step]);
      double most = step > STEPS ? needed : Math.max(needed, expected[step]);
      double left = most - (before + now) / 2;
      decisions += (now - before) / EarnRule.aim(over, left);
      before = now;
    }
    return decisions;
  }
}
