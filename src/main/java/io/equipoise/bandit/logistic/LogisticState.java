package io.equipoise.bandit.logistic;

import io.equipoise.bandit.constraint.DualBlock;
import io.equipoise.bandit.constraint.NeedBlock;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that a logistic policy changes: the model, the dual variables, and what glm-ucb and cx keep
 * besides. Mutable; {@link #copy} is deep. Its size depends on n and the number of constraints
 * only, if the model is a {@link StreamingModel}.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 flags (u8; bit 0: design, bit 1: need)   then the bytes of the model, the
 *   duals, the design if any, the need if any
 * </pre>
 */
public final class LogisticState {
  private static final byte VERSION = 1;
  private static final int DESIGN = 1;
  private static final int NEED = 2;

  private final LogisticModel model;
  private DualBlock duals;
  private final @Nullable DesignBlock design;
  private @Nullable NeedBlock need;

  LogisticState(
      LogisticModel model,
      DualBlock duals,
      @Nullable DesignBlock design,
      @Nullable NeedBlock need) {
    this.model = model;
    this.duals = duals;
    this.design = design;
    this.need = need;
  }

  public LogisticModel model() {
    return model;
  }

  public DualBlock duals() {
    return duals;
  }

  @Nullable DesignBlock design() {
    return design;
  }

  /** Returns what forced exploration remembers; null but for cx. */
  public @Nullable NeedBlock need() {
    return need;
  }

  void need(NeedBlock next) {
    need = next;
  }

  /**
   * Forgets the dual variables and the need, which mean something only under the thresholds they
   * grew with, and keeps the model: for a change of tau or eps. Schedules begin anew.
   */
  public void resetConstraints(int constraints) {
    duals = new DualBlock(constraints);
    if (need != null) {
      need = new NeedBlock(model.scale().n());
    }
  }

  public LogisticState copy() {
    return new LogisticState(
        model.copy(),
        duals.copy(),
        design == null ? null : design.copy(),
        need == null ? null : need.copy());
  }

  /** Returns the length of the bytes; the model must be a {@link StreamingModel}. */
  public int byteLength() {
    return 2
        + streaming().byteLength()
        + duals.byteLength()
        + (design == null ? 0 : design.byteLength())
        + (need == null ? 0 : need.byteLength());
  }

  /** Writes the layout above; equal states write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    int flags = (design == null ? 0 : DESIGN) | (need == null ? 0 : NEED);
    out.put(VERSION).put((byte) flags);
    streaming().appendTo(out);
    duals.appendTo(out);
    if (design != null) {
      design.appendTo(out);
    }
    if (need != null) {
      need.appendTo(out);
    }
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static LogisticState readFrom(ByteBuffer in) {
    byte version = in.get();
    byte flags = in.get();
    if (version != VERSION || (flags & ~(DESIGN | NEED)) != 0) {
      throw new IllegalArgumentException(
          "logistic state of version " + version + " with flags " + flags);
    }
    StreamingModel model = StreamingModel.readFrom(in);
    DualBlock duals = DualBlock.readFrom(in);
    DesignBlock design = (flags & DESIGN) == 0 ? null : DesignBlock.readFrom(in);
    NeedBlock need = (flags & NEED) == 0 ? null : NeedBlock.readFrom(in);
    return new LogisticState(model, duals, design, need);
  }

  private StreamingModel streaming() {
    if (model instanceof StreamingModel streaming) {
      return streaming;
    }
    throw new IllegalStateException(
        "only the streaming model is kept as bytes; the exact one grows and is for replications");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogisticState state
        && model.equals(state.model)
        && duals.equals(state.duals)
        && Objects.equals(design, state.design)
        && Objects.equals(need, state.need);
  }

  @Override
  public int hashCode() {
    return Objects.hash(model, duals, design, need);
  }
}
