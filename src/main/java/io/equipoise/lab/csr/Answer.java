package io.equipoise.lab.csr;

import io.equipoise.bandit.csr.Conclusion;
import io.equipoise.bandit.csr.Conclusion.BestFairArm;

/**
 * How one trial's answer stands against the truth.
 *
 * @param isError whether it is not the best fair arm, or names one where there is none
 * @param isNone whether it is that no arm is fair
 * @param isUnfair whether it is an unfair arm
 */
record Answer(boolean isError, boolean isNone, boolean isUnfair) {
  static Answer of(Conclusion conclusion, Instance instance) {
    int arm = conclusion instanceof BestFairArm found ? found.arm() : -1;
    return new Answer(arm != instance.best(), arm < 0, arm >= 0 && !instance.isFair(arm));
  }
}
