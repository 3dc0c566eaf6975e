package io.equipoise.policy.tabular;

import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DualBlock;
import java.nio.ByteBuffer;

/**
 * Keeps the dual variable of a policy over cells, and the decisions that it counts. The variable
 * means something only under the policy's own settings, and starts empty when they change. Mutable;
 * {@link #copy} is deep.
 *
 * <pre>
 * Bytes, format 144, big-endian:
 *   0 format (u8)   1 the dual block in its own layout
 * </pre>
 */
public record DualState(DualBlock duals) implements StateBlock {
  /** The format of today; codes up to 159 are kept for others of this class. */
  public static final byte FORMAT = (byte) 144;

  /** Where it lies among the blocks; cells count from 0, the join keeps -1. */
  public static final long KEY = -2;

  /** Returns the dual variable that is stored, or the start. */
  public static DualBlock duals(ModelState modelState) {
    return modelState.get(KEY) instanceof DualState stored ? stored.duals() : new DualBlock(1);
  }

  @Override
  public DualState copy() {
    return new DualState(duals.copy());
  }

  @Override
  public int byteLength() {
    return 1 + duals.byteLength();
  }

  /** Writes the layout above. The buffer must be big-endian. */
  @Override
  public void appendTo(ByteBuffer out) {
    out.put(FORMAT);
    duals.appendTo(out);
  }

  /** Reads what {@link #appendTo} wrote. */
  public static DualState readFrom(ByteBuffer in) {
    if (in.get() != FORMAT) {
      throw new IllegalArgumentException("dual variables of another format");
    }
    return new DualState(DualBlock.readFrom(in));
  }
}
