package io.equipoise.lab.linear;

import io.equipoise.policy.linear.Gamma;
import io.equipoise.policy.linear.LinearFairness;
import io.equipoise.policy.linear.LinearIndex;
import io.equipoise.policy.linear.LinearRule;
import io.equipoise.policy.linear.Radius;
import io.equipoise.policy.linear.RidgeModel;
import io.equipoise.policy.linear.SensitiveGroups;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import java.util.Locale;

/**
 * Defines one run of the experiments: a policy in a world.
 *
 * @param policy linucb, linucb-unaware or fair-linucb
 * @param maleArms videos with a male speaker, of {@value Classroom#ARMS}
 * @param resets whether the test phase begins with empty group means
 */
record FairLinUcbSetting(
    String policy, Gamma gamma, Reward reward, int maleArms, Order order, boolean resets) {
  static final double ALPHA = 0.45;
  static final double LAMBDA = 1;

  /** Values of the sensitive attribute. */
  static final int MALE = 0;

  static final int FEMALE = 1;
  static final SensitiveGroups GROUPS = SensitiveGroups.of(1, -1);

  /** The rewards of sections 5.1.2 and 5.2.1; R2 ignores gender. */
  enum Reward {
    R,
    R2
  }

  /** Order of the training phase; the test phase is always shuffled. */
  enum Order {
    SHUFFLED,
    FEMALES_FIRST,
    MALES_FIRST;

    String wire() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  static FairLinUcbSetting linUcb() {
    return new FairLinUcbSetting("linucb", new Gamma.Fixed(0), Reward.R, 30, Order.SHUFFLED, false);
  }

  static FairLinUcbSetting naive() {
    return new FairLinUcbSetting(
        "linucb-unaware", new Gamma.Fixed(0), Reward.R, 30, Order.SHUFFLED, false);
  }

  static FairLinUcbSetting fair(double gamma) {
    return linUcb().with("fair-linucb", new Gamma.Fixed(gamma));
  }

  static FairLinUcbSetting adaptive() {
    return linUcb().with("fair-linucb", new Gamma.Adaptive());
  }

  private FairLinUcbSetting with(String other, Gamma value) {
    return new FairLinUcbSetting(other, value, reward, maleArms, order, resets);
  }

  FairLinUcbSetting with(Reward other) {
    return new FairLinUcbSetting(policy, gamma, other, maleArms, order, resets);
  }

  FairLinUcbSetting withMaleArms(int other) {
    return new FairLinUcbSetting(policy, gamma, reward, other, order, resets);
  }

  FairLinUcbSetting with(Order other) {
    return new FairLinUcbSetting(policy, gamma, reward, maleArms, other, resets);
  }

  /** Returns the same in a world of 7:3 male speakers with an ordered training phase. */
  FairLinUcbSetting ordered(Order other) {
    return withMaleArms(70).with(other);
  }

  FairLinUcbSetting resetting() {
    return new FairLinUcbSetting(policy, gamma, reward, maleArms, order, true);
  }

  /** Composes the policy: a theta for each arm. */
  LinearRule compose() {
    LinearFairness fairness =
        policy.equals("fair-linucb")
            ? new LinearFairness.GroupBalance(GROUPS, gamma, Forget.NOTHING)
            : new LinearFairness.None();
    return new LinearRule(
        RidgeModel.of(Classroom.FEATURES, LAMBDA),
        false,
        new LinearIndex.Ucb(new Radius.Fixed(ALPHA)),
        fairness,
        ExploreSpec.NEVER);
  }

  /** Returns gamma in rows: a number, or "adaptive". */
  Object gammaCell() {
    return gamma instanceof Gamma.Fixed fixed ? (Object) fixed.gamma() : "adaptive";
  }
}
