package io.equipoise.job;

import java.io.Serializable;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/** The topics whose records carry {@code seq}: decisions and segment events. */
interface SequencedTopics extends AutoCloseable {
  /** Returns where the partitions end, open transactions included. Waits for the brokers. */
  Map<TopicPartition, Long> ends();

  /** Returns what {@link #ends} may have returned at some time before this call. Does not wait. */
  Map<TopicPartition, Long> recentEnds();

  /**
   * Hands over the committed records from some offsets on, and from the beginning of partitions
   * that have none. Reads what readers can see now, and if that is not enough, on to where the
   * partitions ended when it was called, as open transactions are ended. That may not be before
   * this caller returns, where the transactions are of the same start, so it does not wait for
   * ever.
   */
  void read(Map<TopicPartition, Long> from, Reader reader, BooleanSupplier isEnough);

  @Override
  void close();

  /** Is handed records. */
  @FunctionalInterface
  interface Reader {
    void on(TopicPartition at, long offset, byte[] value);
  }

  /** Opens the topics where a subtask runs. */
  @FunctionalInterface
  interface Factory extends Serializable {
    SequencedTopics open();
  }
}
