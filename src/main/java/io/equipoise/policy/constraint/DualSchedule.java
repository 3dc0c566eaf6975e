package io.equipoise.policy.constraint;

import io.equipoise.segmentspec.Word;

/**
 * Determines how far a dual variable moves at a decision (Chen, Tian and Quinn 2025, Algorithm 1,
 * where the step is 1/eta; the schedules without a horizon are ours).
 *
 * @param horizon number of decisions T; only FIXED has one
 */
public record DualSchedule(ScheduleKind kind, long horizon) {
  private static final double CAPPED_FROM = 100;

  /** Selects how the step depends on the number of decisions. */
  public enum ScheduleKind implements Word {
    /** rho / sqrt(T). */
    FIXED,
    /** rho / sqrt(t). */
    ANYTIME,
    /** rho / sqrt(2^ceil(log2 t)): phi is carried over where a period ends. */
    DOUBLING,
    /** rho / max(100, sqrt(t)): FIXED of 10,000 decisions, then ANYTIME. */
    CAPPED
  }

  public DualSchedule {
    if (kind == ScheduleKind.FIXED ? horizon < 1 : horizon != 0) {
      throw new IllegalArgumentException(
          "schedule "
              + kind
              + " with the horizon "
              + horizon
              + "; FIXED needs one of at least 1, the others take none (0)");
    }
  }

  public static DualSchedule fixed(long horizon) {
    return new DualSchedule(ScheduleKind.FIXED, horizon);
  }

  /** Returns a schedule that needs no horizon. */
  public static DualSchedule of(ScheduleKind kind) {
    return new DualSchedule(kind, 0);
  }

  /**
   * Returns the step of the t-th decision.
   *
   * @param t decisions, this one included, so at least 1
   * @param rho greatest value of a dual variable
   */
  public double step(long t, double rho) {
    return switch (kind) {
      case FIXED -> rho / Math.sqrt((double) horizon);
      case ANYTIME -> rho / Math.sqrt((double) t);
      case DOUBLING -> rho / Math.sqrt(nextPowerOfTwo(t));
      case CAPPED -> rho / Math.max(CAPPED_FROM, Math.sqrt((double) t));
    };
  }

  private static double nextPowerOfTwo(long t) {
    long floor = Long.highestOneBit(t);
    return floor == t ? floor : 2.0 * floor;
  }
}
