package io.equipoise.policy.tabular;

import io.equipoise.policy.ModelState;
import io.equipoise.policy.constraint.DeltaShares;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.DoubleFunction;

/**
 * Gives a segment the confidence of its cells at the share of delta that its version has
 * (docs/math/weighted-sums.md#delta-over-versions): a version with other sets of cells must not use
 * the share of an earlier one again. Immutable, but for the confidences that it keeps; safe for use
 * by many threads.
 *
 * @param <T> kind of confidence
 */
final class SharedConfidence<T extends CellConfidence> {
  /** Segments of a spec differ where some have lived through more versions. */
  private static final int MOST_KEPT = 16;

  private final DoubleFunction<T> ofShare;
  private final ConcurrentMap<Integer, T> kept = new ConcurrentHashMap<>();

  /** The confidence of a model under its first version. */
  final T first;

  /**
   * Shares delta.
   *
   * @param ofShare returns the confidence at a share of delta
   */
  SharedConfidence(DoubleFunction<T> ofShare) {
    this.ofShare = ofShare;
    first = ofShare.apply(DeltaShares.share(0, 1));
  }

  /** Returns that of a segment. */
  T of(ModelState modelState) {
    int changes = DeltaShares.changes(modelState, DeltaShares.KEY);
    if (changes == 0) {
      return first;
    }
    if (kept.size() >= MOST_KEPT) {
      kept.clear();
    }
    return kept.computeIfAbsent(changes, any -> ofShare.apply(DeltaShares.share(any, 1)));
  }
}
