package io.equipoise.job;

import java.io.Serializable;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/** Reads the topics whose records carry {@code seq}: decisions and segment events. */
interface SequencedTopics extends AutoCloseable {
  /** Becomes the owner of the deployment. Blocks until the brokers reply. */
  void own();

  /**
   * Checks whether this is still the owner. Blocks until the brokers reply.
   *
   * @throws IllegalStateException if another job has become the owner
   */
  void checkOwner();

  /** Returns the end offsets, open transactions included. Blocks until the brokers reply. */
  Map<TopicPartition, Long> ends();

  /** Returns the first offsets that retention has left. Blocks until the brokers reply. */
  Map<TopicPartition, Long> begins();

  /** Returns end offsets of an earlier time. Does not block. */
  Map<TopicPartition, Long> recentEnds();

  /**
   * Delivers the committed records from the given offsets, or from the beginning of partitions
   * without one. Reads what is visible now. If that is not enough, it reads on to the end offsets
   * at the call, as open transactions end. Transactions of the same start may stay open until this
   * call returns, so the wait is limited.
   */
  void read(Map<TopicPartition, Long> from, Reader reader, BooleanSupplier isEnough);

  @Override
  void close();

  /** Receives records. */
  @FunctionalInterface
  interface Reader {
    void on(TopicPartition at, long offset, byte[] value);
  }

  /** Opens the topics on the machine of a subtask. */
  @FunctionalInterface
  interface Factory extends Serializable {
    SequencedTopics open();
  }
}
