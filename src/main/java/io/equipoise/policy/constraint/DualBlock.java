package io.equipoise.policy.constraint;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;

/**
 * Keeps the number of decisions and the dual variable of every constraint. Mutable; {@link #copy}
 * is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 constraints (i32)   5 decisions (i64)   13 per constraint: phi (f64)
 * </pre>
 */
public final class DualBlock extends Stored {
  private static final byte VERSION = 1;

  private double[] phi;
  private long decisions;

  /** Starts with every dual variable at 0. */
  public DualBlock(int constraints) {
    phi = new double[constraints];
  }

  /** Returns the number of decisions taken. */
  public long decisions() {
    return decisions;
  }

  public int constraints() {
    return phi.length;
  }

  public double phi(int constraint) {
    return phi[constraint];
  }

  /** Returns a copy of the dual variables, one for each constraint. */
  public double[] phis() {
    return phi.clone();
  }

  /** Takes one decision into account, with the dual variables that follow it. */
  public void advance(double[] next) {
    if (next.length != phi.length) {
      throw new IllegalArgumentException(next.length + " dual variables for " + phi.length);
    }
    System.arraycopy(next, 0, phi, 0, phi.length);
    decisions++;
  }

  /**
   * Starts the dual variables of other limits at 0. The decisions go on being counted: steps and
   * slacks shrink with them, and would be as wide as at first again.
   */
  public DualBlock startedAnew(int constraints) {
    DualBlock next = new DualBlock(constraints);
    next.decisions = decisions;
    return next;
  }

  /** Cuts every dual variable to what it may grow to. */
  public void cutTo(double rho) {
    for (int constraint = 0; constraint < phi.length; constraint++) {
      phi[constraint] = Math.min(rho, phi[constraint]);
    }
  }

  public DualBlock copy() {
    DualBlock copy = new DualBlock(phi.length);
    System.arraycopy(phi, 0, copy.phi, 0, phi.length);
    copy.decisions = decisions;
    return copy;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(VERSION);
    int constraints = bytes.count(phi.length, Double.BYTES);
    decisions = bytes.i64(decisions);
    bytes.check(decisions >= 0, "decisions", decisions);
    phi = bytes.room(phi, constraints);
    bytes.f64s(phi);
  }
}
