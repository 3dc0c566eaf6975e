package io.equipoise.policy.refutation;

import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.Experience;

/**
 * Tests that the mean reward of each cell lies in the declared range, for rewards that may lie
 * outside it (docs/math/refutation.md#range-of-means).
 *
 * <p>As in {@link MeanTest}: the mixture of normal likelihoods over means that are normal around
 * the middle of the range, with the range as standard deviation tau, divided by the greatest
 * likelihood of a mean in the range. With d the distance of the sample mean from the middle and e
 * that from the range,
 *
 * <pre>log E = n e^2 / (2 s^2) - (log(1 + n tau^2/s^2) + d^2/(s^2/n + tau^2)) / 2
 * </pre>
 */
final class RangeTest extends AssumptionTest {
  private final double low;
  private final double high;
  private final double scaleSquared;

  RangeTest(String name, TestStrata cells, MeanTest.Rewards rewards) {
    super(AssumptionKind.RANGE, name, cells, 3);
    low = rewards.low();
    high = rewards.high();
    scaleSquared = rewards.scale() * rewards.scale();
  }

  @Override
  boolean add(double[] numbers, int at, Experience experience) {
    double middle = low + (high - low) / 2;
    double n = ++numbers[at + 1];
    numbers[at + 2] += experience.reward() - middle;
    double apart = Math.abs(numbers[at + 2]) / n;
    double beyond = Math.max(0, apart - (high - low) / 2);
    double tauSquared = (high - low) * (high - low);
    numbers[at] =
        n * beyond * beyond / (2 * scaleSquared)
            - (StrictMath.log(1 + n * tauSquared / scaleSquared)
                    + apart * apart / (scaleSquared / n + tauSquared))
                / 2;
    return true;
  }

  @Override
  void describe(StringBuilder text) {
    for (double setting : new double[] {low, high, scaleSquared}) {
      text.append(' ').append(Long.toHexString(Double.doubleToLongBits(setting)));
    }
  }

  @Override
  String remedy() {
    return "widen reward.range, so that it holds the mean reward of every cell";
  }
}
