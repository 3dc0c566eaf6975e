package io.equipoise.policy.allocation;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import java.util.BitSet;

/**
 * Keeps what OAM remembers besides statistics: how many rounds it has explored, and the allocation
 * that was solved last with what it was solved for. It means something only under one schedule, and
 * starts empty when that changes. Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, format 113, big-endian:
 *   0 format (u8)   1 rows (i32)   5 explored (i64)  13 explored when solved (i64)
 *  21 allocation: rows x f64   best rows when solved, kept rows when solved: rows bits each, from
 *     the lowest of the first byte on
 * </pre>
 */
public final class OamPlan extends StateBlock {
  /** The format of today. */
  public static final byte FORMAT = 113;

  private static final int MOST_ROWS = 1 << 20;

  /** Rounds in which it did not exploit: s. */
  long explored;

  /** The number of pulls that each row should have; infinite where they cost nothing. */
  double[] allocation;

  long exploredWhenSolved;
  BitSet bestWhenSolved = new BitSet();
  BitSet keptWhenSolved = new BitSet();

  /** Makes a plan without rows, to be read. */
  public OamPlan() {
    this(0);
  }

  /** Starts as before the first round. */
  OamPlan(int rows) {
    allocation = new double[rows];
  }

  /** Returns the number of explored rounds. */
  public long explored() {
    return explored;
  }

  @Override
  public OamPlan copy() {
    return copyInto(new OamPlan());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int rows = bytes.i32(allocation.length);
    bytes.check(rows >= 1 && rows <= MOST_ROWS, "rows", rows);
    explored = bytes.i64(explored);
    exploredWhenSolved = bytes.i64(exploredWhenSolved);
    bytes.fits((long) Double.BYTES * rows);
    allocation = bytes.room(allocation, rows);
    bytes.f64s(allocation);
    int setBytes = (rows + Byte.SIZE - 1) / Byte.SIZE;
    bestWhenSolved = bytes.bits(bestWhenSolved, setBytes, rows);
    keptWhenSolved = bytes.bits(keptWhenSolved, setBytes, rows);
  }
}
