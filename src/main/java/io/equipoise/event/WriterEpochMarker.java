package io.equipoise.event;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Marks the start of a writer epoch on every partition of the decisions topic, with at-least-once
 * delivery. Later decisions of earlier writers are void for the key groups that it covers.
 *
 * <p>On Kafka a marker is a record with neither key nor value. Its headers contain the fields:
 * numbers as decimal digits, texts as UTF-8. Consumers that skip null values skip markers.
 *
 * @param writerEpoch writer epoch that starts, counted from 1; its decisions carry it
 * @param firstKeyGroup first key group that the writer covers, from 0
 * @param lastKeyGroup last key group that the writer covers
 * @param run Flink's id of the job's execution graph, a new one after each submission and each
 *     change of the job manager; empty if unknown
 * @param execution number, from 0, that Flink gave this execution of the subtask within the run;
 *     the greater number replaces the smaller one
 */
public record WriterEpochMarker(
    int writerEpoch, int firstKeyGroup, int lastKeyGroup, String run, int execution) {
  /** Header with the writer epoch; a record with it and without a value is a marker. */
  public static final String WRITER_EPOCH = "equipoise.writer-epoch";

  /** Header with the first key group. */
  public static final String FIRST_KEY_GROUP = "equipoise.first-key-group";

  /** Header with the last key group. */
  public static final String LAST_KEY_GROUP = "equipoise.last-key-group";

  /** Header with the id of the execution graph. */
  public static final String RUN = "equipoise.run";

  /** Header with the number of the execution. */
  public static final String EXECUTION = "equipoise.execution";

  private static final int MOST_DIGITS = 10;

  /** Makes a marker with unknown run. */
  public WriterEpochMarker(int writerEpoch, int firstKeyGroup, int lastKeyGroup) {
    this(writerEpoch, firstKeyGroup, lastKeyGroup, "", 0);
  }

  /** Returns whether a record of the decisions topic has the form of a marker. */
  public static boolean isIn(byte @Nullable [] value, Headers headers) {
    return value == null && headers.lastHeader(WRITER_EPOCH) != null;
  }

  /**
   * Parses the headers of a marker. If a header is repeated, the last one counts; unknown headers
   * are ignored.
   *
   * @throws WireException with MALFORMED if a header is missing or not of its type
   */
  public static WriterEpochMarker of(Headers headers) {
    return new WriterEpochMarker(
        number(headers, WRITER_EPOCH),
        number(headers, FIRST_KEY_GROUP),
        number(headers, LAST_KEY_GROUP),
        new String(value(headers, RUN), StandardCharsets.UTF_8),
        number(headers, EXECUTION));
  }

  private static int number(Headers headers, String name) {
    byte[] digits = value(headers, name);
    long number = 0;
    boolean isNumber = digits.length > 0 && digits.length <= MOST_DIGITS;
    for (int place = 0; isNumber && place < digits.length; place++) {
      isNumber = digits[place] >= '0' && digits[place] <= '9';
      number = 10 * number + digits[place] - '0';
    }
    if (!isNumber || number > Integer.MAX_VALUE) {
      throw new WireException(
          ErrorCode.MALFORMED,
          "Header %s of a writer-epoch marker has %d bytes that are no number from 0 to %d in decimal digits"
              .formatted(name, digits.length, Integer.MAX_VALUE));
    }
    return (int) number;
  }

  private static byte[] value(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    if (header == null || header.value() == null) {
      throw new WireException(
          ErrorCode.MALFORMED, "A writer-epoch marker lacks its header " + name);
    }
    return header.value();
  }

  /** Returns the headers of this marker's record. */
  public Headers headers() {
    return new RecordHeaders()
        .add(WRITER_EPOCH, utf8(Integer.toString(writerEpoch)))
        .add(FIRST_KEY_GROUP, utf8(Integer.toString(firstKeyGroup)))
        .add(LAST_KEY_GROUP, utf8(Integer.toString(lastKeyGroup)))
        .add(RUN, utf8(run))
        .add(EXECUTION, utf8(Integer.toString(execution)));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns whether two writers share a key group. */
  public boolean overlaps(WriterEpochMarker other) {
    return firstKeyGroup <= other.lastKeyGroup && other.firstKeyGroup <= lastKeyGroup;
  }

  /** Returns whether this writer replaces another one of the same run. */
  public boolean replaces(WriterEpochMarker other) {
    return !run.isEmpty()
        && run.equals(other.run)
        && execution > other.execution
        && overlaps(other);
  }

  /** Returns a copy with another writer epoch. */
  public WriterEpochMarker numbered(int number) {
    return new WriterEpochMarker(number, firstKeyGroup, lastKeyGroup, run, execution);
  }
}
