package io.equipoise.policy.tabular;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DualBlock;

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
public final class DualState extends StateBlock {
  /** The format of today; codes up to 159 are kept for others of this class. */
  public static final byte FORMAT = (byte) 144;

  /** Where it lies among the blocks; cells count from 0, the join keeps -1. */
  public static final long KEY = -2;

  private final DualBlock duals;

  /** Makes a state without dual variables, to be read. */
  public DualState() {
    this(new DualBlock(0));
  }

  public DualState(DualBlock duals) {
    this.duals = duals;
  }

  /** Returns the dual variable that is stored, or the start. */
  public static DualBlock duals(ModelState modelState) {
    return modelState.get(KEY) instanceof DualState stored ? stored.duals : new DualBlock(1);
  }

  public DualBlock duals() {
    return duals;
  }

  @Override
  public DualState copy() {
    return new DualState(duals.copy());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    bytes.part(duals);
  }
}
