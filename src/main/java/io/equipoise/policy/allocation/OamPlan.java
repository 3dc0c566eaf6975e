package io.equipoise.policy.allocation;

import io.equipoise.policy.StateBlock;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * What OAM remembers besides statistics: how many rounds it has explored, and the allocation that
 * was solved last with what it was solved for. It means something only under one schedule, and
 * starts empty when that changes. Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, format 113, big-endian:
 *   0 format (u8)   1 rows (i32)   5 explored (i64)  13 explored when solved (i64)
 *  21 allocation: rows x f64   best rows when solved, kept rows when solved: rows bits each, from
 *     the lowest of the first byte on
 * </pre>
 */
public final class OamPlan implements StateBlock {
  /** The format of today. */
  public static final byte FORMAT = 113;

  private static final int HEADER_BYTES = 21;
  private static final int MOST_ROWS = 1 << 20;

  /** Rounds in which it did not exploit: s. */
  long explored;

  /** How often each row should be pulled; infinite where that costs nothing. */
  double[] allocation;

  long exploredWhenSolved;
  BitSet bestWhenSolved = new BitSet();
  BitSet keptWhenSolved = new BitSet();

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
    OamPlan copy = new OamPlan(allocation.length);
    copy.explored = explored;
    copy.allocation = allocation.clone();
    copy.exploredWhenSolved = exploredWhenSolved;
    copy.bestWhenSolved = (BitSet) bestWhenSolved.clone();
    copy.keptWhenSolved = (BitSet) keptWhenSolved.clone();
    return copy;
  }

  @Override
  public int byteLength() {
    return (int) (HEADER_BYTES + bodyBytes(allocation.length));
  }

  private static int setBytes(int rows) {
    return (rows + Byte.SIZE - 1) / Byte.SIZE;
  }

  private static long bodyBytes(int rows) {
    return (long) Double.BYTES * rows + 2L * setBytes(rows);
  }

  /** Writes the layout above; equal plans write equal bytes. The buffer must be big-endian. */
  @Override
  public void appendTo(ByteBuffer out) {
    out.put(FORMAT).putInt(allocation.length).putLong(explored).putLong(exploredWhenSolved);
    for (double pulls : allocation) {
      out.putDouble(pulls);
    }
    int length = setBytes(allocation.length);
    out.put(Arrays.copyOf(bestWhenSolved.toByteArray(), length));
    out.put(Arrays.copyOf(keptWhenSolved.toByteArray(), length));
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static OamPlan readFrom(ByteBuffer in) {
    byte format = in.get();
    int rows = in.getInt();
    long needed = rows < 1 || rows > MOST_ROWS ? 0 : 2L * Long.BYTES + bodyBytes(rows);
    if (format != FORMAT || needed == 0 || needed > in.remaining()) {
      throw new IllegalArgumentException(
          "oam plan of format %d, %d rows, in %d bytes".formatted(format, rows, in.remaining()));
    }
    OamPlan read = new OamPlan(rows);
    read.explored = in.getLong();
    read.exploredWhenSolved = in.getLong();
    for (int row = 0; row < rows; row++) {
      read.allocation[row] = in.getDouble();
    }
    read.bestWhenSolved = set(in, rows);
    read.keptWhenSolved = set(in, rows);
    return read;
  }

  private static BitSet set(ByteBuffer in, int rows) {
    byte[] bits = new byte[setBytes(rows)];
    in.get(bits);
    BitSet set = BitSet.valueOf(bits);
    if (set.length() > rows) {
      throw new IllegalArgumentException("oam plan with row " + (set.length() - 1) + " of " + rows);
    }
    return set;
  }

  private byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(byteLength());
    appendTo(bytes);
    return bytes.array();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OamPlan plan && Arrays.equals(bytes(), plan.bytes());
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(explored) + Arrays.hashCode(allocation);
  }
}
