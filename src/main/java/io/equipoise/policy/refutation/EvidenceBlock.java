package io.equipoise.policy.refutation;

import io.equipoise.policy.StateBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the tests of a segment's assumptions have counted. Bounded by {@link Assumptions}, which
 * leaves out tests that need too many numbers. Mutable; {@link #copy} is deep.
 *
 * <p>A segment has two: the evidence itself, and, once an assumption is refuted, the refuted ones
 * without their numbers, which is all that a decision reads.
 *
 * <pre>
 * Bytes, format 160, big-endian:
 *   0 format (u8)   1 seq of the last reward (i64)   9 tests (i32), per test: id (i64),
 *     state (u8: 0 open, 1 crossed, 2 refuted), stratum (i32), observations (i64), logarithm of the
 *     product of e-values (f64), seq since when it is assumed (i64), numbers (i32) and each (f64)
 * </pre>
 */
@SuppressWarnings("EnumOrdinal") // the order of states is part of the layout
public final class EvidenceBlock implements StateBlock {
  /** The format of today; codes up to 175 are kept for others of this class. */
  public static final byte FORMAT = (byte) 160;

  private static final int TEST_BYTES = 4 * Long.BYTES + 2 * Integer.BYTES + 1;

  private final List<EProcess> tests;

  /** The seq of the segment when the last reward was counted; 0 before the first. */
  long seq;

  EvidenceBlock(List<EProcess> tests, long seq) {
    this.tests = new ArrayList<>(tests);
    this.seq = seq;
  }

  List<EProcess> tests() {
    return tests;
  }

  /** Returns the evidence of a test, or null. */
  @Nullable EProcess find(long id) {
    for (EProcess test : tests) {
      if (test.id == id) {
        return test;
      }
    }
    return null;
  }

  /** Returns how many bytes a block of so many tests with so many numbers in all has. */
  static double bytes(int tests, double numbers) {
    return 1 + Long.BYTES + Integer.BYTES + (double) tests * TEST_BYTES + numbers * Double.BYTES;
  }

  @Override
  public EvidenceBlock copy() {
    return new EvidenceBlock(tests.stream().map(EProcess::copy).toList(), seq);
  }

  @Override
  public boolean isChangedByRewardsOnly() {
    return true;
  }

  @Override
  public int byteLength() {
    int numbers = 0;
    for (EProcess test : tests) {
      numbers += test.numbers.length;
    }
    return (int) bytes(tests.size(), numbers);
  }

  @Override
  public void appendTo(ByteBuffer out) {
    out.put(FORMAT).putLong(seq).putInt(tests.size());
    for (EProcess test : tests) {
      out.putLong(test.id).put((byte) test.state.ordinal()).putInt(test.stratum);
      out.putLong(test.observations).putDouble(test.logTotal).putLong(test.since);
      out.putInt(test.numbers.length);
      for (double number : test.numbers) {
        out.putDouble(number);
      }
    }
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static EvidenceBlock readFrom(ByteBuffer in) {
    byte format = in.get();
    if (format != FORMAT) {
      throw new IllegalArgumentException("evidence of format " + (format & 0xff));
    }
    long seq = in.getLong();
    List<EProcess> tests = new ArrayList<>();
    for (int left = count(in, TEST_BYTES); left > 0; left--) {
      long id = in.getLong();
      int state = in.get();
      if (state < 0 || state >= EProcess.State.values().length) {
        throw new IllegalArgumentException("a test in state " + state);
      }
      int stratum = in.getInt();
      long observations = in.getLong();
      double logTotal = in.getDouble();
      long since = in.getLong();
      double[] numbers = new double[count(in, Double.BYTES)];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.getDouble();
      }
      EProcess test = new EProcess(id, numbers);
      test.state = EProcess.State.values()[state];
      test.stratum = stratum;
      test.observations = observations;
      test.logTotal = logTotal;
      test.since = since;
      tests.add(test);
    }
    return new EvidenceBlock(tests, seq);
  }

  private static int count(ByteBuffer in, int leastBytes) {
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / leastBytes) {
      throw new IllegalArgumentException(
          "evidence counts %d in %d bytes".formatted(count, in.remaining()));
    }
    return count;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EvidenceBlock that && seq == that.seq && tests.equals(that.tests);
  }

  @Override
  public int hashCode() {
    return tests.hashCode();
  }
}
