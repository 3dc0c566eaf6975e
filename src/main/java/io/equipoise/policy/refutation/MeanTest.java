package io.equipoise.policy.refutation;

import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.Experience;
import java.util.function.ToIntFunction;

/**
 * Tests that the mean reward of each cell is the same in all groups of its rewards, for rewards
 * that are sub-Gaussian with a known scale s given their cell
 * (docs/math/refutation.md#equal-means).
 *
 * <p>For every theta, exp((q - theta)(r - theta)/s^2 - (q - theta)^2/(2 s^2)) has an expectation of
 * at most 1 if theta is the mean of r, for any q; that is the likelihood ratio of normal rewards.
 * So is the mixture over one q for each group: their common mean is normal around the middle of the
 * range with half the range as standard deviation, and each group departs from it by a normal with
 * {@value #DEPARTURE} of the range. Divided by the greatest likelihood that one common theta has
 * (universal inference, Wasserman, Ramdas and Balakrishnan 2020) it is an e-process whatever theta
 * is. With n_u, S_u the number and sum of the rewards of group u less the middle,
 *
 * <pre>
 * log E = (sum S_u^2/n_u - (sum S_u)^2/n) / (2 s^2)
 *         - (sum log(1 + rho^2 n_u/s^2) + log(1 + tau^2 a) + c - tau^2 b^2/(1 + tau^2 a)) / 2
 * v_u   = s^2/n_u + rho^2,  a = sum 1/v_u,  b = sum (S_u/n_u)/v_u,  c = sum (S_u/n_u)^2/v_u
 * </pre>
 */
final class MeanTest extends AssumptionTest {
  private static final double DEPARTURE = 0.2;

  private final int groups;
  private final GroupOf group;
  private final double middle;
  private final double scaleSquared;
  private final double tauSquared;
  private final double rhoSquared;
  private final String remedy;
  private final String description;

  /** Assigns a reward to a group. */
  interface GroupOf {
    /** Returns the group by the reward and by how many its cell has had, or -1 if it has none. */
    int of(Experience experience, double before);
  }

  /** The scale of rewards and the ends of the range of their means. */
  record Rewards(double low, double high, double scale) {}

  MeanTest(
      AssumptionKind kind,
      String name,
      TestStrata cells,
      int groups,
      GroupOf group,
      Rewards rewards,
      String description,
      String remedy) {
    super(kind, name, cells, 1 + 2 * groups);
    this.groups = groups;
    this.group = group;
    this.description = description;
    this.remedy = remedy;
    double range = rewards.high() - rewards.low();
    middle = rewards.low() + range / 2;
    scaleSquared = rewards.scale() * rewards.scale();
    tauSquared = range * range / 4;
    rhoSquared = DEPARTURE * DEPARTURE * range * range;
  }

  static GroupOf byLevel(ToIntFunction<Experience> level) {
    return (experience, before) -> level.applyAsInt(experience);
  }

  @Override
  boolean add(double[] numbers, int at, Experience experience) {
    double before = 0;
    for (int u = 0; u < groups; u++) {
      before += numbers[at + 1 + 2 * u];
    }
    int of = group.of(experience, before);
    if (of < 0) {
      return false;
    }
    numbers[at + 1 + 2 * of]++;
    numbers[at + 2 + 2 * of] += experience.reward() - middle;
    numbers[at] = logE(numbers, at);
    return true;
  }

  private double logE(double[] numbers, int at) {
    double n = 0;
    double sum = 0;
    double squares = 0;
    double logs = 0;
    double a = 0;
    double b = 0;
    double c = 0;
    for (int u = 0; u < groups; u++) {
      double count = numbers[at + 1 + 2 * u];
      if (count > 0) {
        double of = numbers[at + 2 + 2 * u];
        double mean = of / count;
        double precision = 1 / (scaleSquared / count + rhoSquared);
        n += count;
        sum += of;
        squares += of * mean;
        logs += StrictMath.log(1 + rhoSquared * count / scaleSquared);
        a += precision;
        b += mean * precision;
        c += mean * mean * precision;
      }
    }
    double common = 1 + tauSquared * a;
    double between = Math.max(0, squares - sum * (sum / n));
    return between / (2 * scaleSquared)
        - (logs + StrictMath.log(common) + c - tauSquared * b * b / common) / 2;
  }

  @Override
  void describe(StringBuilder text) {
    text.append(' ').append(description).append(' ').append(groups);
    for (double setting : new double[] {middle, scaleSquared, tauSquared}) {
      text.append(' ').append(Long.toHexString(Double.doubleToLongBits(setting)));
    }
  }

  @Override
  String remedy() {
    return remedy;
  }
}
