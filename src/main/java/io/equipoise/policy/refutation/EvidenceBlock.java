package io.equipoise.policy.refutation;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what the tests of a segment's assumptions have counted. Bounded by {@link Assumptions},
 * which leaves out tests that need too many numbers. Mutable; {@link #copy} is deep.
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
public final class EvidenceBlock extends StateBlock {
  /** The format of today; codes up to 175 are kept for others of this class. */
  public static final byte FORMAT = (byte) 160;

  private static final int TEST_BYTES = 4 * Long.BYTES + 2 * Integer.BYTES + 1;

  final List<EProcess> tests;

  /** The seq of the segment when the last reward was counted; 0 before the first. */
  long seq;

  /** Makes a block without evidence, to be read. */
  public EvidenceBlock() {
    this(List.of(), 0);
  }

  EvidenceBlock(List<EProcess> tests, long seq) {
    this.tests = new ArrayList<>(tests);
    this.seq = seq;
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
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    seq = bytes.i64(seq);
    int count = bytes.count(tests.size(), TEST_BYTES);
    for (int i = 0; i < count; i++) {
      if (bytes.isReading()) {
        tests.add(new EProcess(0, 0));
      }
      bytes.part(tests.get(i));
    }
  }
}
