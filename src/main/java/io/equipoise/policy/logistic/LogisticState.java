package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.OverlapDeficit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all that a logistic policy changes: the model, and what the policy remembers besides.
 * Mutable; {@link #copy} is deep. Its size depends on n and the number of constraints only, if the
 * model is a {@link StreamingModel}; model and memory are then blocks of a segment's state.
 *
 * @param bounds what bounds effects besides the ellipsoid; null in replications
 */
public record LogisticState(
    LogisticModel model, LogisticMemory memory, @Nullable OddsBounds bounds) {
  /** A state whose effects are bounded by the ellipsoid alone. */
  public LogisticState(LogisticModel model, LogisticMemory memory) {
    this(model, memory, null);
  }

  /** Returns the dual variables and the number of decisions. */
  public DualBlock duals() {
    return memory.duals();
  }

  @Nullable DesignBlock design() {
    return memory.design();
  }

  /** Returns what forced exploration remembers; null but for forced-exploration. */
  public @Nullable OverlapDeficit need() {
    return memory.need();
  }

  /** Returns the length of both blocks' bytes; the model must be a {@link StreamingModel}. */
  public int byteLength() {
    if (model instanceof StreamingModel streaming) {
      return streaming.byteLength() + memory.byteLength();
    }
    throw new IllegalStateException(
        "only the streaming model is kept as bytes; the exact one grows and is for replications");
  }

  public LogisticState copy() {
    return new LogisticState(model.copy(), memory.copy());
  }
}
