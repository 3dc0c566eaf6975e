package io.equipoise.job;

import io.equipoise.event.WriterEpochMarker;
import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads partitions of the decisions topic for a writer epoch and appends its markers. Arrays are
 * indexed by partition; their length is the number of partitions at opening.
 */
interface DecisionLog extends AutoCloseable {
  /** The watched partition; each marker is appended here before all other partitions. */
  int MARKED_FIRST = 0;

  /** Returns the offsets of the first available records. */
  long[] begins();

  long[] ends();

  /**
   * Returns end offsets of an earlier time, never less than a previous result. {@link #watch} has
   * delivered all markers before these offsets, except those before the offset where it began. Does
   * not block.
   */
  long[] recentEnds();

  /**
   * Appends a marker to every partition and returns the offsets. Appends to {@link #MARKED_FIRST}
   * first, and to the others after that append has succeeded.
   */
  long[] append(WriterEpochMarker marker);

  /** Delivers all records between two offsets of each partition, end exclusive, in order. */
  void read(long[] from, long[] to, Reader reader);

  /**
   * Delivers the markers in {@link #MARKED_FIRST} at or after an offset, each once, as far as they
   * are known. Does not block. All markers are in all partitions.
   */
  void watch(long from, Consumer<WriterEpochMarker> reader);

  @Override
  void close();

  /** Receives records of the decisions topic, markers included. */
  @FunctionalInterface
  interface Reader {
    void on(int partition, byte @Nullable [] value, Headers headers);
  }

  /** Opens the log on the machine of a subtask. */
  @FunctionalInterface
  interface Factory extends Serializable {
    DecisionLog open();
  }
}
