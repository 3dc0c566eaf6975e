package io.equipoise.lab.campaign;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Counts the audits of one world, and those that are wrong.
 *
 * @param refused why its spec was refused, null if it ran
 * @param audits comparisons; 1 for the end of an experiment
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

  boolean hasWrongVerdict() {
    return falseCertified > 0 || falseUnfair > 0;
  }

  /** Returns whether any verdict or interval is wrong. */
  boolean isWrong() {
    return firstFault != null;
  }
}
