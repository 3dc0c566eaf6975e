package io.equipoise.policy.bestarm;

import java.util.List;

/**
 * Audits one closed phase. Arms are numbers; the one who writes it out knows their names.
 *
 * @param allocation v* and nu, by type and arm
 * @param counts the pulls that were planned, by type and arm
 * @param arrived how many samples the estimates rest on, by type; of all phases so far if the
 *     algorithm is cumulative
 * @param costSpent of all phases so far
 * @param arms what was believed of each arm that was left before the phase closed
 * @param statsHash of the sums
 */
@SuppressWarnings("ArrayRecordComponent") // written out, compared by nobody
public record PhaseRecord(
    SearchVerdict verdict,
    Allocation allocation,
    int[][] counts,
    long[] arrived,
    Counters counters,
    double costSpent,
    List<ArmFinding> arms,
    String statsHash) {
  public PhaseRecord {
    arms = List.copyOf(arms);
  }

  /**
   * Counts what happened while a phase was open.
   *
   * @param late outcomes of earlier phases that were counted
   * @param missing windows that closed without an outcome; -1 where the deployment tells no counts
   *     of few, nor then what was planned and what arrived
   * @param notSampled contexts that were answered with the incumbent, uncounted
   */
  public record Counters(long late, long missing, long notSampled) {
    static final Counters NONE = new Counters(0, 0, 0);

    Counters plusLate() {
      return new Counters(late + 1, missing, notSampled);
    }

    Counters plusMissing() {
      return new Counters(late, missing + 1, notSampled);
    }

    Counters plusNotSampled() {
      return new Counters(late, missing, notSampled + 1);
    }
  }

  public Phase phase() {
    return verdict.phase();
  }

  /** Returns eps_l = 2^-(l-1). */
  public double epsilon() {
    return Math.scalb(1.0, 1 - phase().l());
  }
}
