package io.equipoise.job;

import io.equipoise.event.WriterEpochMarker;
import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The decisions topic as an attempt that begins sees it: partitions that are read and marked. All
 * arrays are by partition and of the length that there were partitions when it was opened.
 */
interface DecisionLog extends AutoCloseable {
  /** The partition that a marker is appended to before all others, and that is watched. */
  int MARKED_FIRST = 0;

  /** Returns the offsets of the first records that are still there. */
  long[] begins();

  /** Returns the offsets behind the last records. */
  long[] ends();

  /**
   * Returns what {@link #ends} may have returned at some time before this call, or less; never less
   * than it returned before. No marker stands before these offsets that {@link #watch} has not
   * handed over, but for those before the offset it began with. Does not wait.
   */
  long[] recentEnds();

  /**
   * Appends a marker to every partition, each at an offset that is returned: to {@link
   * #MARKED_FIRST} first, and to the others when it stands there.
   */
  long[] append(WriterEpochMarker marker);

  /** Hands over all records from some offsets up to others, exclusive, each partition in order. */
  void read(long[] from, long[] to, Reader reader);

  /**
   * Hands over the markers that were appended to {@link #MARKED_FIRST} at or behind an offset, each
   * once, as far as they are known by now, and does not wait. All markers are in all partitions.
   */
  void watch(long from, Consumer<WriterEpochMarker> reader);

  @Override
  void close();

  /** Is handed records of the decisions topic, markers included. */
  @FunctionalInterface
  interface Reader {
    void on(int partition, byte @Nullable [] value, Headers headers);
  }

  /** Opens the log where a subtask runs. */
  @FunctionalInterface
  interface Factory extends Serializable {
    DecisionLog open();
  }
}
