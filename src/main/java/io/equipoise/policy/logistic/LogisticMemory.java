package io.equipoise.policy.logistic;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.OverlapDeficit;
import io.equipoise.policy.features.FeaturePlaces;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a logistic policy remembers besides the model: the number of decisions, the dual
 * variables, the design of glm-ucb and the need of forced-exploration. Dual variables and need mean
 * something only under the limits that they grew with, and start empty when those change. Mutable;
 * {@link #copy} is deep.
 *
 * <pre>
 * Bytes, format 80, big-endian:
 *   0 format (u8)   1 flags (u8; bit 0: design, 1: need, 2: features left the design)
 *   then the bytes of the duals, the design if any, the need if any
 * </pre>
 */
public final class LogisticMemory extends StateBlock {
  /** The format of today; codes up to 95 are kept for others of this class. */
  public static final byte FORMAT = 80;

  private static final int DESIGN = 1;
  private static final int NEED = 2;
  private static final int LEFT = 4;

  private final DualBlock duals;
  private @Nullable DesignBlock design;
  private @Nullable OverlapDeficit need;

  /** Makes a memory of nothing, to be read. */
  public LogisticMemory() {
    this(new DualBlock(0), null, null);
  }

  LogisticMemory(DualBlock duals, @Nullable DesignBlock design, @Nullable OverlapDeficit need) {
    this.duals = duals;
    this.design = design;
    this.need = need;
  }

  /** Returns the dual variables and the number of decisions. */
  public DualBlock duals() {
    return duals;
  }

  @Nullable DesignBlock design() {
    return design;
  }

  /** Returns what forced exploration remembers; null but for forced-exploration. */
  public @Nullable OverlapDeficit need() {
    return need;
  }

  void need(OverlapDeficit next) {
    need = next;
  }

  /**
   * Returns what goes on where the limits or the policy are others: the number of decisions, how
   * often exploration took over, and the design, which knows no limits. Prices and the need start
   * empty.
   *
   * @param fresh what the policy that takes over remembers before any decision
   */
  LogisticMemory startedAnew(LogisticMemory fresh) {
    boolean hasDesign = design != null && fresh.design != null;
    boolean hasNeed = need != null && fresh.need != null;
    return new LogisticMemory(
        duals.startedAnew(fresh.duals.constraints()),
        hasDesign ? design : fresh.design,
        hasNeed ? need.startedAnew() : fresh.need);
  }

  /** Returns whether {@link #startedAnew} leaves out nothing that this memory can hold. */
  boolean goesOnWholeIn(LogisticMemory next) {
    return duals.constraints() == 0 && need == null && (design == null || next.design != null);
  }

  /** Returns the memory with more features, which were 0 until now, and without those gone. */
  LogisticMemory spread(FeaturePlaces to) {
    return new LogisticMemory(
        duals, design == null ? null : design.spread(to), need == null ? null : need.spread(to));
  }

  @Override
  public LogisticMemory copy() {
    return new LogisticMemory(
        duals.copy(), design == null ? null : design.copy(), need == null ? null : need.copy());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int left = design != null && design.hasLost() ? LEFT : 0;
    int flags = bytes.i8((design == null ? 0 : DESIGN) | (need == null ? 0 : NEED) | left);
    bytes.check((flags & ~(DESIGN | NEED | LEFT)) == 0, "unknown flags", flags);
    bytes.part(duals);
    if (bytes.isReading()) {
      design = (flags & DESIGN) == 0 ? null : new DesignBlock((flags & LEFT) != 0);
      need = (flags & NEED) == 0 ? null : new OverlapDeficit(0);
    }
    if (design != null) {
      bytes.part(design);
    }
    if (need != null) {
      bytes.part(need);
    }
  }
}
