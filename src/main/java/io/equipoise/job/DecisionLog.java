package io.equipoise.job;

import io.equipoise.event.AttemptMarker;
import java.io.Serializable;
import java.util.function.Consumer;

/**
 * The decisions topic as an attempt that begins sees it: partitions that are read and marked. All
 * arrays are by partition and of the length that there were partitions when it was opened.
 */
interface DecisionLog extends AutoCloseable {

  /** Returns the offsets of the first records that are still there. */
  long[] begins();

  /** Returns the offsets behind the last records. */
  long[] ends();

  /**
   * Returns what {@link #ends} may have returned at some time before this call, never less than it
   * returned before, and does not wait.
   */
  long[] recentEnds();

  /** Appends a marker to every partition, each at an offset that is returned. */
  long[] append(AttemptMarker marker);

  /** Hands over all records from some offsets up to others, exclusive, each partition in order. */
  void read(long[] from, long[] to, Reader reader);

  /**
   * Hands over the markers of one partition that were appended at or behind an offset, each once,
   * as far as they are known by now, and does not wait. All markers are in all partitions.
   */
  void watch(int partition, long from, Consumer<AttemptMarker> reader);

  @Override
  void close();

  /** Is handed records of the decisions topic. */
  @FunctionalInterface
  interface Reader {
    void on(int partition, byte[] value);
  }

  /** Opens the log where a subtask runs. */
  @FunctionalInterface
  interface Factory extends Serializable {
    DecisionLog open();
  }
}
