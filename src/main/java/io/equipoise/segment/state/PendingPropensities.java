package io.equipoise.segment.state;

import io.equipoise.event.PropensityKind;
import io.equipoise.policy.Choice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Stores the propensities of a decision that awaits its reward, so that its segment events repeat
 * them bit for bit. Immutable, also the arrays.
 *
 * <p>A certain choice lists nothing. Where exploration gives most candidates the same share, as
 * epsilon-greedy does, equal neighbors are counted: what is kept does not grow with the candidates.
 * Other vectors are kept as they are.
 *
 * @param kind how they are known
 * @param draws how many draws ESTIMATED ones are shares of, else 0
 * @param values each of them, or each run's; empty where DETERMINISTIC says it all: 1 for the arm
 *     decided, 0 for every other
 * @param runs how many neighbors have each value; empty where each has its own
 */
@SuppressWarnings("ArrayRecordComponent") // equals below knows arrays
public record PendingPropensities(PropensityKind kind, int draws, double[] values, int[] runs) {
  /** Maximum number of candidates in stored bytes: far more than a request or a spec may have. */
  static final int MOST = 1 << 20;

  private static final double[] NO_VALUES = {};
  private static final int[] NO_RUNS = {};

  /** The propensities of a choice that was a function of state and context: 1 and 0. */
  public static final PendingPropensities SURE =
      new PendingPropensities(PropensityKind.DETERMINISTIC, 0, NO_VALUES, NO_RUNS);

  /**
   * Checks values that may come from stored bytes.
   *
   * @throws IllegalArgumentException if draws are negative, the runs are not as many as the values,
   *     one is empty, or all are more than anybody can choose among
   */
  public PendingPropensities {
    long all = 0;
    int least = 1;
    for (int run : runs) {
      all += run;
      least = Math.min(least, run);
    }
    boolean areCounted = runs.length == 0 || runs.length == values.length;
    if (draws < 0 || !areCounted || least < 1 || all > MOST) {
      throw new IllegalArgumentException(
          "%d draws, %d values, %d runs of %d propensities in all, the shortest of %d"
              .formatted(draws, values.length, runs.length, all, least));
    }
  }

  /** Returns the propensities of a choice in the shortest form. */
  public static PendingPropensities of(Choice choice) {
    PropensityKind kind = choice.propensityKind();
    return kind == PropensityKind.DETERMINISTIC && isSure(choice.propensities(), choice.arm())
        ? SURE
        : shortest(kind, choice.draws(), choice.propensities());
  }

  /** Lists propensities, at least one, in the shortest form. */
  public static PendingPropensities shortest(PropensityKind kind, int draws, double[] all) {
    int count = 1;
    for (int place = 1; place < all.length; place++) {
      count += isSame(all[place], all[place - 1]) ? 0 : 1;
    }
    boolean isShorter = count * (Double.BYTES + Integer.BYTES) < all.length * Double.BYTES;
    return isShorter
        ? inRuns(kind, draws, all, count)
        : new PendingPropensities(kind, draws, all.clone(), NO_RUNS);
  }

  private static PendingPropensities inRuns(
      PropensityKind kind, int draws, double[] all, int count) {
    double[] values = new double[count];
    int[] runs = new int[count];
    int run = -1;
    for (int place = 0; place < all.length; place++) {
      if (place == 0 || !isSame(all[place], all[place - 1])) {
        values[++run] = all[place];
      }
      runs[run]++;
    }
    return new PendingPropensities(kind, draws, values, runs);
  }

  private static boolean isSure(double[] all, int arm) {
    for (int place = 0; place < all.length; place++) {
      if (!isSame(all[place], place == arm ? 1 : 0)) {
        return false;
      }
    }
    return true;
  }

  /** Compares bits, so that 0 and -0 differ, as in the log. */
  private static boolean isSame(double one, double other) {
    return Double.doubleToRawLongBits(one) == Double.doubleToRawLongBits(other);
  }

  /** Returns the propensity of each candidate in order; do not modify. Empty if none is listed. */
  double[] list() {
    if (runs.length == 0) {
      return values;
    }
    int count = 0;
    for (int run : runs) {
      count += run;
    }
    double[] all = new double[count];
    int place = 0;
    for (int run = 0; run < runs.length; run++) {
      Arrays.fill(all, place, place + runs[run], values[run]);
      place += runs[run];
    }
    return all;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PendingPropensities that
        && kind == that.kind
        && draws == that.draws
        && Arrays.equals(values, that.values)
        && Arrays.equals(runs, that.runs);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(values) + Arrays.hashCode(runs);
  }
}
