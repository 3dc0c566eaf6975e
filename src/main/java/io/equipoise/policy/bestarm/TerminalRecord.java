package io.equipoise.policy.bestarm;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.bestarm.Conclusion.By;
import java.util.List;

/** Ends an experiment. */
public sealed interface TerminalRecord {
  /**
   * Ends an experiment that found an arm, which is served from here on.
   *
   * @param finding its estimates
   * @param phase the phase that found it
   * @param margin of the certificate, which is positive: by how much both the paper's band around
   *     its estimates and the interval of its effect are within E; NaN without one
   * @param delta how likely the interval of any arm in any phase misses
   * @param guarantee ANYTIME for a certificate; NONE where the band alone is within E
   * @param runnerUp the arm of F with the next greatest Yhat, -1 if there is none
   * @param runnerUpReward its Yhat, NaN if there is none
   * @param pulls how many samples were taken; less than T if it ended early
   * @param costSpent of them
   */
  record BestFairArm(
      ArmFinding finding,
      Phase phase,
      By by,
      double margin,
      double delta,
      AuditGuarantee guarantee,
      int runnerUp,
      double runnerUpReward,
      long pulls,
      double costSpent)
      implements TerminalRecord {}

  /**
   * Ends an experiment that found no arm; the incumbent is served.
   *
   * @param isProved whether the intervals of all arms, dropped ones too, are beyond E: reject them.
   *     Otherwise more samples may certify one
   * @param delta how likely the interval of any arm in any phase misses
   * @param guarantee ANYTIME if it is proved, else NONE
   * @param arms those that were left
   */
  record NoFairArm(
      boolean isProved,
      double delta,
      AuditGuarantee guarantee,
      Phase phase,
      List<ArmFinding> arms,
      long pulls,
      double costSpent)
      implements TerminalRecord {
    public NoFairArm {
      arms = List.copyOf(arms);
    }
  }
}
