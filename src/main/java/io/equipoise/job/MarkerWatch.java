package io.equipoise.job;

import io.equipoise.event.WireException;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one partition of the decisions for markers, in its own thread.
 *
 * <p>A consumer reads its connection only while it is polled, and then at most one socket buffer.
 * If it were polled once per checkpoint, it would fall behind permanently on a partition with more
 * than about 100 kB between two checkpoints. The offsets that a checkpoint may store would fall
 * behind too, see {@link CheckpointableEnds}. The thread passes markers, position and failure to
 * the task thread.
 */
final class MarkerWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MarkerWatch.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long MOST_CLOSE_MILLIS = 1_000;

  /** Minimum fetch of 1 MB or a second, to avoid a fetch per record. */
  private static final Map<String, String> FETCHES =
      Map.of(
          ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "8388608",
          ConsumerConfig.FETCH_MIN_BYTES_CONFIG, "1048576",
          ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "1000");

  private final TopicPartition watched;
  private final Consumer<byte[], byte[]> consumer;
  private final Queue<WriterEpochMarker> markers = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile long position;
  private volatile boolean isClosed;
  private volatile @Nullable RuntimeException failure;

  /** Starts to read at an offset. */
  MarkerWatch(Properties kafka, TopicPartition watched, long from) {
    this.watched = watched;
    this.position = from;
    this.consumer = Consumers.committed(kafka, FETCHES);
    consumer.assign(List.of(watched));
    consumer.seek(watched, from);
    this.thread = new Thread(this::run, "markers of " + watched);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!isClosed) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : records) {
          WriterEpochMarker marker = marker(record);
          if (marker != null) {
            markers.add(marker);
          }
        }
        position = reached(position);
      }
    } catch (WakeupException e) {
      LOG.debug("Stopped watching {}", watched);
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  /** Returns the last known offset if retention has removed it and the brokers do not reply. */
  private long reached(long known) {
    try {
      return consumer.position(watched, POLL);
    } catch (TimeoutException e) {
      LOG.debug("Requesting the position of the watch on {} again", watched, e);
      return known;
    }
  }

  /** Returns the marker of a record, or null; logs a warning if a marker is malformed. */
  private static @Nullable WriterEpochMarker marker(ConsumerRecord<byte[], byte[]> record) {
    if (!WriterEpochMarker.isIn(record.value(), record.headers())) {
      return null;
    }
    try {
      return WriterEpochMarker.of(record.headers());
    } catch (WireException e) {
      LOG.warn(
          "Ignoring offset {} of {}-{}: its writer-epoch marker is malformed: {}",
          record.offset(),
          record.topic(),
          record.partition(),
          e.getMessage());
      return null;
    }
  }

  /**
   * Delivers the markers read since the last call. Does not block.
   *
   * @return an offset before which all markers have been delivered
   * @throws IllegalStateException if the partition cannot be read
   */
  long handOver(java.util.function.Consumer<WriterEpochMarker> reader) {
    RuntimeException failed = failure;
    if (failed != null) {
      throw new IllegalStateException("cannot watch " + watched + " for markers", failed);
    }
    long upTo = position; // read before the queue is emptied, so the queue contains all before it
    for (WriterEpochMarker marker = markers.poll(); marker != null; marker = markers.poll()) {
      reader.accept(marker);
    }
    return upTo;
  }

  /** Waits at most one second; the thread ends by itself in any case. */
  @Override
  public void close() {
    isClosed = true;
    consumer.wakeup();
    try {
      thread.join(MOST_CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
