package io.equipoise.lab.csr;

import io.equipoise.policy.bestarm.Conclusion;
import io.equipoise.policy.bestarm.Conclusion.BestFairArm;

/**
 * How one trial's answer stands against the truth.
 *
 * @param isError whether it is not the best fair arm, or names one where there is none
 * @param isNone whether it is that no arm is fair
 * @param isUnfair whether it is an unfair arm
 */
record CsrAnswer(boolean isError, boolean isNone, boolean isUnfair) {
  static CsrAnswer of(Conclusion conclusion, CsrInstance csrInstance) {
    int arm = conclusion instanceof BestFairArm found ? found.arm() : -1;
    return new CsrAnswer(arm != csrInstance.best(), arm < 0, arm >= 0 && !csrInstance.isFair(arm));
  }
}
