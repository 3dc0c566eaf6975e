package io.equipoise.lab.linear;

import io.equipoise.bandit.linear.Explore;
import io.equipoise.bandit.linear.Forgetting;
import io.equipoise.bandit.linear.Gamma;
import io.equipoise.bandit.linear.LinearFairness;
import io.equipoise.bandit.linear.LinearIndex;
import io.equipoise.bandit.linear.LinearPolicy;
import io.equipoise.bandit.linear.Radius;
import io.equipoise.bandit.linear.RidgeModel;
import io.equipoise.bandit.linear.SensitiveGroups;
import java.util.Locale;

/**
 * One run of the experiments: a policy in a world.
 *
 * @param policy linucb, linucb-unaware or fair-linucb
 * @param maleArms videos with a male speaker, of {@value Classroom#ARMS}
 * @param resets whether the groups' means are forgotten when the test phase begins
 */
record Setting(
    String policy, Gamma gamma, Reward reward, int maleArms, Order order, boolean resets) {
  static final double ALPHA = 0.45;
  static final double LAMBDA = 1;

  /** Values of the sensitive attribute. */
  static final int MALE = 0;

  static final int FEMALE = 1;
  static final SensitiveGroups GROUPS = SensitiveGroups.of(1, -1);

  /** Section 5.1.2's reward, and the one of section 5.2.1 that gender does not enter. */
  enum Reward {
    R,
    R2
  }

  /** How the training phase is ordered; the test phase is always shuffled. */
  enum Order {
    SHUFFLED,
    FEMALES_FIRST,
    MALES_FIRST;

    String wire() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  static Setting linUcb() {
    return new Setting("linucb", new Gamma.Fixed(0), Reward.R, 30, Order.SHUFFLED, false);
  }

  static Setting naive() {
    return new Setting("linucb-unaware", new Gamma.Fixed(0), Reward.R, 30, Order.SHUFFLED, false);
  }

  static Setting fair(double gamma) {
    return linUcb().with("fair-linucb", new Gamma.Fixed(gamma));
  }

  static Setting adaptive() {
    return linUcb().with("fair-linucb", new Gamma.Adaptive());
  }

  private Setting with(String other, Gamma value) {
    return new Setting(other, value, reward, maleArms, order, resets);
  }

  Setting with(Reward other) {
    return new Setting(policy, gamma, other, maleArms, order, resets);
  }

  Setting withMaleArms(int other) {
    return new Setting(policy, gamma, reward, other, order, resets);
  }

  Setting with(Order other) {
    return new Setting(policy, gamma, reward, maleArms, other, resets);
  }

  Setting resetting() {
    return new Setting(policy, gamma, reward, maleArms, order, true);
  }

  /** Composes the policy: a theta for each arm. */
  LinearPolicy compose() {
    LinearFairness fairness =
        policy.equals("fair-linucb")
            ? new LinearFairness.GroupBalance(GROUPS, gamma, Forgetting.NOTHING)
            : new LinearFairness.None();
    return new LinearPolicy(
        RidgeModel.of(Classroom.FEATURES, LAMBDA),
        false,
        new LinearIndex.Ucb(new Radius.Fixed(ALPHA)),
        fairness,
        Explore.NEVER);
  }

  /** Returns gamma as rows have it: a number, or "adaptive". */
  Object gammaCell() {
    return gamma instanceof Gamma.Fixed fixed ? (Object) fixed.gamma() : "adaptive";
  }
}
