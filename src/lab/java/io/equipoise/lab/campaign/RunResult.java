package io.equipoise.lab.campaign;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts the verdicts of the audits of one run, and how often they are wrong. */
final class RunResult {
  /** Bounds the difference between enumeration and the estimator, since both add up doubles. */
  static final double TOLERANCE = 1e-9;

  private final long seed;
  private final @Nullable String refused;
  private final Set<String> guarantees = new TreeSet<>();
  private final Map<Count, Long> counts = new EnumMap<>(Count.class);
  private @Nullable String firstVerdict;
  private @Nullable String firstMiss;

  enum Count {
    DECISIONS,
    /** Comparisons; 1 for the end of an experiment. */
    AUDITS,
    CERTIFIED,
    UNFAIR,
    FALSE_CERTIFIED,
    FALSE_UNFAIR,
    /** Intervals without the truth. */
    MISSED
  }

  /** Starts without audits; {@code refused} is why the spec was refused, null if it runs. */
  RunResult(long seed, @Nullable String refused) {
    this.seed = seed;
    this.refused = refused;
  }

  long seed() {
    return seed;
  }

  @Nullable String refused() {
    return refused;
  }

  Set<String> guarantees() {
    return guarantees;
  }

  long get(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  boolean hasWrongVerdict() {
    return firstVerdict != null;
  }

  /** Returns the first wrong verdict, else the first interval without the truth, else null. */
  @Nullable String firstFault() {
    return firstVerdict == null ? firstMiss : firstVerdict;
  }

  private void add(Count count) {
    counts.merge(count, 1L, Long::sum);
  }

  void decision() {
    add(Count.DECISIONS);
  }

  /** Counts an end without a certificate. */
  void nothingCertified(String guarantee) {
    add(Count.AUDITS);
    guarantees.add(guarantee);
  }

  /** Counts a certificate. */
  void certified(String guarantee, boolean isFalse, Supplier<String> what) {
    verdict(guarantee, Count.CERTIFIED);
    fault(isFalse, Count.FALSE_CERTIFIED, "false certificate", what);
  }

  /** Counts a verdict that something is unfair. */
  void unfair(String guarantee, boolean isFalse, Supplier<String> what) {
    verdict(guarantee, Count.UNFAIR);
    fault(isFalse, Count.FALSE_UNFAIR, "false UNFAIR", what);
  }

  private void verdict(String guarantee, Count count) {
    nothingCertified(guarantee);
    add(count);
  }

  private void fault(boolean isFalse, Count count, String kind, Supplier<String> what) {
    if (isFalse) {
      add(count);
      firstVerdict = firstVerdict == null ? first(kind, what) : firstVerdict;
    }
  }

  /** Counts an interval that lacks a true effect from low to high; an end may be open, null. */
  void interval(
      double low,
      double high,
      @Nullable Double lower,
      @Nullable Double upper,
      Supplier<String> what) {
    boolean isBelow = lower != null && low < lower - TOLERANCE;
    boolean isAbove = upper != null && high > upper + TOLERANCE;
    if (isBelow || isAbove) {
      add(Count.MISSED);
      firstMiss = firstMiss == null ? first("interval without the truth", what) : firstMiss;
    }
  }

  private String first(String kind, Supplier<String> what) {
    return "first in decision " + get(Count.DECISIONS) + ": " + kind + ", " + what.get();
  }
}
