package io.equipoise.policy.linear;

import io.equipoise.policy.StateBlock;
import java.nio.ByteBuffer;

/**
 * Keeps what a policy remembers besides statistics: all but the number of decisions means something
 * only under the policy's own settings, and starts empty when they change. Mutable; {@link #copy}
 * is deep.
 *
 * <pre>
 * Bytes, format 48, big-endian:
 *   0 format (u8)   1 decisions (i64)   9 dual (f64)  17 debt (f64)  25 level (f64)
 *  33 rewards (i64)
 * </pre>
 */
public final class PolicyState implements StateBlock {
  /** The format of today; codes up to 63 are kept for others of this class. */
  public static final byte FORMAT = 48;

  private static final int BYTES = 41;

  /** Decisions taken under a price or a screen. */
  long decisions;

  /** The dual variable phi of {@link LinearFairness.Limited}. */
  double dual;

  /** What the privileged side received too much, as {@link AdaptiveGamma} counts it. */
  double debt;

  /** The mean reward that the debt is counted from. */
  double level;

  /** Rewards in the level. */
  long rewards;

  /** Starts as before the first decision. */
  public PolicyState() {}

  /** Returns the dual variable. */
  public double dual() {
    return dual;
  }

  /** Returns the debt. */
  public double debt() {
    return debt;
  }

  /** Starts empty, but for the decisions: steps and slacks go on shrinking with them. */
  PolicyState startedAnew() {
    PolicyState next = new PolicyState();
    next.decisions = decisions;
    return next;
  }

  @Override
  public PolicyState copy() {
    PolicyState copy = new PolicyState();
    copy.decisions = decisions;
    copy.dual = dual;
    copy.debt = debt;
    copy.level = level;
    copy.rewards = rewards;
    return copy;
  }

  @Override
  public int byteLength() {
    return BYTES;
  }

  /** Writes the layout above. The buffer must be big-endian. */
  @Override
  public void appendTo(ByteBuffer out) {
    out.put(FORMAT).putLong(decisions).putDouble(dual).putDouble(debt).putDouble(level);
    out.putLong(rewards);
  }

  /** Reads what {@link #appendTo} wrote. */
  public static PolicyState readFrom(ByteBuffer in) {
    if (in.remaining() < BYTES || in.get() != FORMAT) {
      throw new IllegalArgumentException("policy state of another version, or cut off");
    }
    PolicyState state = new PolicyState();
    state.decisions = in.getLong();
    state.dual = in.getDouble();
    state.debt = in.getDouble();
    state.level = in.getDouble();
    state.rewards = in.getLong();
    return state;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PolicyState state
        && decisions == state.decisions
        && Double.compare(dual, state.dual) == 0
        && Double.compare(debt, state.debt) == 0
        && Double.compare(level, state.level) == 0
        && rewards == state.rewards;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(decisions) + Double.hashCode(debt);
  }
}
