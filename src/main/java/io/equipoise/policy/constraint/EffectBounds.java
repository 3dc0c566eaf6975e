package io.equipoise.policy.constraint;

import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Bounds each component of an {@link EffectSize}: cheaper to have than the size where that is a
 * search, and enough for most comparisons with a limit.
 *
 * @param least the size has no smaller component
 * @param most nor a larger one
 */
public record EffectBounds(EffectSize least, EffectSize most) {
  /** Returns the bounds of a size that is known. */
  public static EffectBounds of(EffectSize size) {
    return new EffectBounds(size, size);
  }

  /** Returns bounds of the size that any part of the effect's interval has. */
  public EffectBounds ofPart() {
    return new EffectBounds(
        new EffectSize(least.estimate(), least.low(), least.low()),
        new EffectSize(most.estimate(), most.high(), most.high()));
  }

  /** Returns bounds of the larger of two sizes. */
  public EffectBounds orLarger(EffectBounds other) {
    return new EffectBounds(least.orLarger(other.least), most.orLarger(other.most));
  }

  /**
   * Returns whether what is measured of the size is at most a limit; what is not a number is not.
   * The bounds decide where they can, and the size is asked for only where they cannot.
   *
   * @param measured of a size, never smaller for one with larger components
   * @param size the size that these are the bounds of
   */
  public boolean isAtMost(
      double limit, ToDoubleFunction<EffectSize> measured, Supplier<EffectSize> size) {
    return isWithin(limit, measured)
        || (!isBeyond(limit, measured) && measured.applyAsDouble(size.get()) <= limit);
  }

  /**
   * Returns the same, but asks for narrower bounds before the size.
   *
   * @param narrower bounds of the same size
   */
  public boolean isAtMost(
      double limit,
      ToDoubleFunction<EffectSize> measured,
      Supplier<EffectBounds> narrower,
      Supplier<EffectSize> size) {
    return isWithin(limit, measured)
        || (!isBeyond(limit, measured) && narrower.get().isAtMost(limit, measured, size));
  }

  private boolean isWithin(double limit, ToDoubleFunction<EffectSize> measured) {
    return measured.applyAsDouble(most) <= limit;
  }

  private boolean isBeyond(double limit, ToDoubleFunction<EffectSize> measured) {
    return measured.applyAsDouble(least) > limit;
  }
}
