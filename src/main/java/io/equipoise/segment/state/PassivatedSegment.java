package io.equipoise.segment.state;

import io.equipoise.event.Account;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keeps the remains of a passivated segment: few bytes, so that a segment that never returns costs
 * almost nothing, but enough that one that returns continues its {@code seq} and its ledgers.
 * Immutable.
 *
 * <pre>
 * Bytes of a passivated segment without a model, each number in groups of 7 bits, the lowest first, all but
 * the last with the high bit set:
 *   seq, epoch, accounts of the ledgers, per account its count
 * </pre>
 *
 * @param retain whether the bytes are packed head and model, or the few numbers above
 * @param bytes do not modify
 */
@SuppressWarnings("ArrayRecordComponent") // equals below knows arrays
public record PassivatedSegment(Retain retain, byte[] bytes) {
  private static final int MOST_ACCOUNTS = 127;

  /** Returns the remains of a segment that retains nothing it has learned. */
  public static PassivatedSegment emptied(SegmentHeader head) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(out, head.seq);
    put(out, head.levelVersion);
    long[] counts = head.ledgers.counts();
    put(out, counts.length);
    for (long count : counts) {
      put(out, count);
    }
    return new PassivatedSegment(Retain.NONE, out.toByteArray());
  }

  /**
   * Returns the head of a segment that starts empty but for its place in the log and its ledgers.
   *
   * @throws IllegalArgumentException if the bytes cannot be those of {@link #emptied}
   */
  SegmentHeader emptyHead() {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    SegmentHeader head = new SegmentHeader();
    head.seq = get(in);
    head.metricsSeq = head.seq;
    head.levelVersion = Math.toIntExact(get(in));
    long accounts = get(in);
    if (accounts < 0 || accounts > MOST_ACCOUNTS) {
      throw new IllegalArgumentException("a passivated segment with " + accounts + " accounts");
    }
    long[] counts = new long[(int) accounts];
    for (int account = 0; account < counts.length; account++) {
      counts[account] = get(in);
    }
    head.ledgers.addAll(Ledgers.of(counts));
    return head;
  }

  /**
   * Returns the passivated segment of the given seq and counts at most this large: for a budget.
   */
  public static PassivatedSegment largest(long seq) {
    SegmentHeader head = new SegmentHeader();
    head.seq = seq;
    long[] counts = new long[Account.values().length];
    Arrays.fill(counts, seq);
    head.ledgers.addAll(Ledgers.of(counts));
    return emptied(head);
  }

  private static void put(ByteArrayOutputStream out, long number) {
    long left = number;
    while ((left & ~0x7fL) != 0) {
      out.write((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write((int) left);
  }

  private static long get(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (!in.hasRemaining()) {
        throw new IllegalArgumentException("a passivated segment ends within a number");
      }
      byte group = in.get();
      number |= (group & 0x7fL) << shift;
      if (group >= 0) {
        return number;
      }
    }
    throw new IllegalArgumentException("a number of a passivated segment does not end");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PassivatedSegment that
        && retain == that.retain
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "PassivatedSegment[retain " + retain.wire() + ", " + bytes.length + " bytes]";
  }
}
