package io.equipoise.lab.campaign;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one world brought.
 *
 * @param refused why its spec was refused, null where it ran
 * @param audits comparisons; of an experiment its one end
 * @param missed intervals without the truth
 * @param guarantees those of its audits
 * @param firstFault the first wrong verdict, else the first interval without the truth, else null
 */
record RunResult(
    long seed,
    @Nullable String refused,
    long decisions,
    long audits,
    long certified,
    long unfair,
    long falseCertified,
    long falseUnfair,
    long missed,
    Set<String> guarantees,
    @Nullable String firstFault) {

  RunResult {
    guarantees = new TreeSet<>(guarantees);
  }

  static RunResult refused(long seed, String reason) {
    return new RunResult(seed, reason, 0, 0, 0, 0, 0, 0, 0, Set.of(), null);
  }

  boolean isRefused() {
    return refused != null;
  }

  /** Says whether any verdict was wrong. */
  boolean hasWrongVerdict() {
    return falseCertified > 0 || falseUnfair > 0;
  }

  /** Says whether any statement was wrong, an interval included. */
  boolean isWrong() {
    return firstFault != null;
  }
}
