package io.equipoise.policy.logistic;

import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.OverlapDeficit;
import io.equipoise.policy.features.FeaturePlaces;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a logistic policy remembers besides the model: the number of decisions, the dual variables,
 * the design of glm-ucb and the need of forced-exploration. Dual variables and need mean something
 * only under the limits that they grew with, and start empty when those change. Mutable; {@link
 * #copy} is deep.
 *
 * <pre>
 * Bytes, format 80, big-endian:
 *   0 format (u8)   1 flags (u8; bit 0: design, bit 1: need)   then the bytes of the duals, the
 *   design if any, the need if any
 * </pre>
 */
public final class LogisticMemory implements StateBlock {
  /** The format of today; codes up to 95 are kept for others of this class. */
  public static final byte FORMAT = 80;

  private static final int DESIGN = 1;
  private static final int NEED = 2;

  private final DualBlock duals;
  private final @Nullable DesignBlock design;
  private @Nullable OverlapDeficit need;

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

  /** Says whether {@link #startedAnew} leaves out nothing that this memory can hold. */
  boolean goesOnWholeIn(LogisticMemory next) {
    return duals.constraints() == 0 && need == null && (design == null || next.design != null);
  }

  /** Returns the memory with more features, which were 0 until now. */
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
  public int byteLength() {
    return 2
        + duals.byteLength()
        + (design == null ? 0 : design.byteLength())
        + (need == null ? 0 : need.byteLength());
  }

  /** Writes the layout above; equal memories write equal bytes. The buffer must be big-endian. */
  @Override
  public void appendTo(ByteBuffer out) {
    int flags = (design == null ? 0 : DESIGN) | (need == null ? 0 : NEED);
    out.put(FORMAT).put((byte) flags);
    duals.appendTo(out);
    if (design != null) {
      design.appendTo(out);
    }
    if (need != null) {
      need.appendTo(out);
    }
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static LogisticMemory readFrom(ByteBuffer in) {
    byte format = in.get();
    byte flags = in.get();
    if (format != FORMAT || (flags & ~(DESIGN | NEED)) != 0) {
      throw new IllegalArgumentException(
          "memory of a logistic policy of format " + format + " with flags " + flags);
    }
    DualBlock duals = DualBlock.readFrom(in);
    DesignBlock design = (flags & DESIGN) == 0 ? null : DesignBlock.readFrom(in);
    OverlapDeficit need = (flags & NEED) == 0 ? null : OverlapDeficit.readFrom(in);
    return new LogisticMemory(duals, design, need);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogisticMemory memory
        && duals.equals(memory.duals)
        && Objects.equals(design, memory.design)
        && Objects.equals(need, memory.need);
  }

  @Override
  public int hashCode() {
    return Objects.hash(duals, design, need);
  }
}
