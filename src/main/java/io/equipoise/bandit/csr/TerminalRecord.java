package io.equipoise.bandit.csr;

import io.equipoise.bandit.csr.Conclusion.By;
import java.util.List;

/** The one record that ends an experiment. */
public sealed interface TerminalRecord {
  String key();

  int version();

  /**
   * An arm was found, and is served from here on.
   *
   * @param finding its estimates
   * @param phase the phase that certified it
   * @param margin of the certificate, E - 3/2^l - max |zeta|, which is positive; NaN without one,
   *     as two-stage searches give none
   * @param runnerUp the arm certified fair with the next greatest Yhat, -1 if there is none
   * @param runnerUpReward its Yhat, NaN if there is none
   * @param pulls how many samples were taken; less than T if it ended early
   * @param costSpent of them
   */
  record BestFairArm(
      String key,
      int version,
      ArmFinding finding,
      Phase phase,
      By by,
      double margin,
      int runnerUp,
      double runnerUpReward,
      long pulls,
      double costSpent)
      implements TerminalRecord {}

  /**
   * No arm was certified fair; the incumbent is served.
   *
   * @param isProved whether every arm left is unfair beyond its error: reject them. Otherwise some
   *     arm is inside the band around E: more samples may certify it
   */
  record NoFairArm(
      String key,
      int version,
      boolean isProved,
      Phase phase,
      List<ArmFinding> arms,
      long pulls,
      double costSpent)
      implements TerminalRecord {
    public NoFairArm {
      arms = List.copyOf(arms);
    }
  }

  /** It was aborted; the incumbent is served. */
  record Aborted(String key, int version, String reason, long pulls, double costSpent)
      implements TerminalRecord {}
}
