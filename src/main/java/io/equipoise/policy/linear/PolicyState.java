package io.equipoise.policy.linear;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;

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
public final class PolicyState extends StateBlock {
  /** The format of today; codes up to 63 are kept for others of this class. */
  public static final byte FORMAT = 48;

  /** Decisions taken under a price or a screen. */
  long decisions;

  /** The dual variable phi of {@link LinearFairness.Limited}. */
  double dual;

  /** The excess of the privileged side, as {@link GroupBalancer.AdaptiveGamma} counts it. */
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
    return copyInto(new PolicyState());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    decisions = bytes.i64(decisions);
    dual = bytes.f64(dual);
    debt = bytes.f64(debt);
    level = bytes.f64(level);
    rewards = bytes.i64(rewards);
  }
}
