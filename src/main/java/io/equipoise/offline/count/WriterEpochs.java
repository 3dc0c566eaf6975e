package io.equipoise.offline.count;

import io.equipoise.event.IdHash;
import io.equipoise.event.SegmentEvent;
import org.apache.flink.api.java.tuple.Tuple5;

/**
 * Finds segments whose log has rows of several writer epochs of at-least-once delivery. An epoch
 * repeats the work of the one before it since the last checkpoint, so both have written the segment
 * events in between. The topic alone does not show which events these are, since seq counts
 * decisions too. So such a range is rejected.
 *
 * <p>The state of a segment is one record of the job: (scope {@link Cell#ATTEMPT}, hash of the
 * segment, newest epoch, its last position, text). The text is the last position of an earlier
 * epoch, or -1, a blank, and the segment. A position is one number: file or partition in the upper
 * {@value #NUMBER_BITS} bits, byte or offset in the lower ones.
 */
final class WriterEpochs {
  private static final int NUMBER_BITS = 20;
  private static final int PLACE_BITS = Long.SIZE - 1 - NUMBER_BITS;
  private static final long NOWHERE = -1;

  private WriterEpochs() {}

  /**
   * Returns the record of a row.
   *
   * @param number index of the file or partition
   * @param place byte in the file, or offset
   */
  static Tuple5<Integer, Long, Long, Long, String> of(SegmentEvent row, long number, long place) {
    long at = number << PLACE_BITS | place;
    long segment = IdHash.of(row.segment()).high();
    return cell(segment, row.writerEpoch(), at, NOWHERE, " " + row.segment());
  }

  private static Tuple5<Integer, Long, Long, Long, String> cell(
      long segment, long writerEpoch, long last, long earlier, String name) {
    return Tuple5.of(Cell.WRITER_EPOCH, segment, writerEpoch, last, earlier + name);
  }

  /** Merges two records of a segment, in any order. */
  static Tuple5<Integer, Long, Long, Long, String> merged(
      Tuple5<Integer, Long, Long, Long, String> one,
      Tuple5<Integer, Long, Long, Long, String> other) {
    boolean isNewer = one.f2 >= other.f2;
    Tuple5<Integer, Long, Long, Long, String> newer = isNewer ? one : other;
    Tuple5<Integer, Long, Long, Long, String> older = isNewer ? other : one;
    boolean areAlike = one.f2.longValue() == other.f2.longValue();
    long earlier = Math.max(earlier(one), earlier(other));
    return cell(
        one.f1,
        newer.f2,
        areAlike ? Math.max(one.f3, other.f3) : newer.f3,
        areAlike ? earlier : Math.max(earlier, older.f3),
        one.f4.substring(one.f4.indexOf(' ')));
  }

  /** Returns whether a segment has rows of several writer epochs. */
  static boolean hasSeveralEpochs(Tuple5<Integer, Long, Long, Long, String> cell) {
    return earlier(cell) != NOWHERE;
  }

  /** Returns the position of the last row of an epoch before the newest, as one number. */
  static long earlier(Tuple5<Integer, Long, Long, Long, String> cell) {
    return Long.parseLong(cell.f4.substring(0, cell.f4.indexOf(' ')));
  }

  /** Returns the file or partition of a position. */
  static int number(long at) {
    return (int) (at >>> PLACE_BITS);
  }

  /** Returns the byte or offset of a position. */
  static long place(long at) {
    return at & ((1L << PLACE_BITS) - 1);
  }

  /** Returns the error of the row at {@link #earlier} and its remedy. */
  static String fault(Tuple5<Integer, Long, Long, Long, String> cell, LogFile logFile) {
    String remedy =
        logFile instanceof LogFile.Topic
            ? "count from the offset after this one on (--from), or up to before writer epoch "
                + cell.f2
                + " (--to)"
            : "give files with rows of one writer epoch only";
    return "the last row of segment"
        + cell.f4.substring(cell.f4.indexOf(' '))
        + " before writer epoch "
        + cell.f2
        + " of the job, which may have written rows again; "
        + remedy;
  }
}
