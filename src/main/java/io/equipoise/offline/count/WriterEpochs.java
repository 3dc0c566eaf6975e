package io.equipoise.offline.count;

import io.equipoise.event.IdHash;
import io.equipoise.event.SegmentEvent;
import org.apache.flink.api.java.tuple.Tuple5;

/**
 * Finds segments of which a log has rows of several attempts of a job with at-least-once delivery:
 * an attempt does again what the one before it did since its last checkpoint, so that both have
 * written the segment events in between. Which these are the topic alone does not say, since seq
 * counts decisions too; so such a range is refused.
 *
 * <p>What is known of a segment is one record of the job, whoever read its rows: (scope {@link
 * Cell#ATTEMPT}, hash of the segment, newest attempt, its last place, text). The text is the last
 * place of an earlier attempt, or -1, a blank, and the segment. A place is one number: file or
 * partition in the upper {@value #NUMBER_BITS} bits, byte or offset in the lower ones.
 */
final class WriterEpochs {
  private static final int NUMBER_BITS = 20;
  private static final int PLACE_BITS = Long.SIZE - 1 - NUMBER_BITS;
  private static final long NOWHERE = -1;

  private WriterEpochs() {}

  /**
   * Returns what a row says.
   *
   * @param number of the file or the partition
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

  /** Joins what is known of a segment from two sides, in whatever order. */
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

  /** Says whether a segment has rows of several attempts. */
  static boolean areSeveral(Tuple5<Integer, Long, Long, Long, String> cell) {
    return earlier(cell) != NOWHERE;
  }

  /** Returns where the last row of an attempt before the newest stands, as one number. */
  static long earlier(Tuple5<Integer, Long, Long, Long, String> cell) {
    return Long.parseLong(cell.f4.substring(0, cell.f4.indexOf(' ')));
  }

  /** Returns the file or the partition of a place. */
  static int number(long at) {
    return (int) (at >>> PLACE_BITS);
  }

  /** Returns the byte or the offset of a place. */
  static long place(long at) {
    return at & ((1L << PLACE_BITS) - 1);
  }

  /** Returns what is wrong with the row at {@link #earlier} and what to do. */
  static String fault(Tuple5<Integer, Long, Long, Long, String> cell, LogFile logFile) {
    String remedy =
        logFile instanceof LogFile.Topic
            ? "count from the offset after this one on (--from), or up to before attempt "
                + cell.f2
                + " (--to)"
            : "give files that have rows of one attempt only";
    return "the last row of segment"
        + cell.f4.substring(cell.f4.indexOf(' '))
        + " before attempt "
        + cell.f2
        + " of the job, which may have written rows again; "
        + remedy;
  }
}
