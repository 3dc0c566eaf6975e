package io.equipoise.lab.campaign;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts the verdicts of one run's audits, and how often they are wrong. */
final class Score {
  /** Bounds the difference between enumeration and the estimator, since both add up doubles. */
  static final double TOLERANCE = 1e-9;

  private final Set<String> guarantees = new TreeSet<>();
  private long decisions;
  private long audits;
  private long certified;
  private long unfair;
  private long falseCertified;
  private long falseUnfair;
  private long missed;
  private @Nullable String firstVerdict;
  private @Nullable String firstMiss;

  void decision() {
    decisions++;
  }

  /** Counts an end without a certificate. */
  void nothingCertified(String guarantee) {
    audits++;
    guarantees.add(guarantee);
  }

  /** Counts a certificate. */
  void certified(String guarantee, boolean isFalse, Supplier<String> what) {
    nothingCertified(guarantee);
    certified++;
    if (isFalse) {
      falseCertified++;
      fault("false certificate", what);
    }
  }

  /** Counts a verdict that something is unfair. */
  void unfair(String guarantee, boolean isFalse, Supplier<String> what) {
    nothingCertified(guarantee);
    unfair++;
    if (isFalse) {
      falseUnfair++;
      fault("false UNFAIR", what);
    }
  }

  /** Counts an interval without the truth. */
  void missed(Supplier<String> what) {
    missed++;
    if (firstMiss == null) {
      firstMiss = first("interval without the truth", what);
    }
  }

  private void fault(String kind, Supplier<String> what) {
    if (firstVerdict == null) {
      firstVerdict = first(kind, what);
    }
  }

  private String first(String kind, Supplier<String> what) {
    return "first in decision " + decisions + ": " + kind + ", " + what.get();
  }

  RunResult result(long seed) {
    return new RunResult(
        seed,
        null,
        decisions,
        audits,
        certified,
        unfair,
        falseCertified,
        falseUnfair,
        missed,
        guarantees,
        firstVerdict == null ? firstMiss : firstVerdict);
  }
}
