package io.equipoise.policy.constraint;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keeps the number of decisions and the dual variable of every constraint. Mutable; {@link #copy}
 * is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 constraints (i32)   5 decisions (i64)   13 per constraint: phi (f64)
 * </pre>
 */
public final class DualBlock {
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 13;

  private final double[] phi;
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

  public int byteLength() {
    return HEADER_BYTES + Double.BYTES * phi.length;
  }

  /** Writes the layout above; equal blocks write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    out.put(VERSION).putInt(phi.length).putLong(decisions);
    for (double value : phi) {
      out.putDouble(value);
    }
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static DualBlock readFrom(ByteBuffer in) {
    byte version = in.get();
    int constraints = in.getInt();
    long decisions = in.getLong();
    if (version != VERSION
        || constraints < 0
        || constraints > in.remaining() / Double.BYTES
        || decisions < 0) {
      throw new IllegalArgumentException(
          String.format(
              "dual block of version %d, %d constraints and %d decisions in %d bytes",
              version, constraints, decisions, in.remaining()));
    }
    DualBlock block = new DualBlock(constraints);
    block.decisions = decisions;
    for (int constraint = 0; constraint < constraints; constraint++) {
      block.phi[constraint] = in.getDouble();
    }
    return block;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DualBlock block
        && decisions == block.decisions
        && Arrays.equals(phi, block.phi);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(decisions) + Arrays.hashCode(phi);
  }
}
