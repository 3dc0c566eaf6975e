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
 * Reads a partition of the decisions for markers, in a thread of its own.
 *
 * <p>A consumer takes from its connection only while it is polled, and then what one buffer of the
 * operating system holds. Polled once a checkpoint without waiting, it falls behind for good where
 * a partition gets more than some 100 kB between two checkpoints; and the offsets that a checkpoint
 * may keep with it, see {@link MarkedEnds}.
 */
final class MarkerWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MarkerWatch.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long MOST_CLOSE_MILLIS = 1_000;

  /** Not a fetch a record: one of a megabyte, or of what came within a tenth of a second. */
  private static final Map<String, String> FETCHES =
      Map.of(
          ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "8388608",
          ConsumerConfig.FETCH_MIN_BYTES_CONFIG, "1048576",
          ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "100");

  private final TopicPartition watched;
  private final Consumer<byte[], byte[]> consumer;
  private final Queue<WriterEpochMarker> markers = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile long position;
  private volatile boolean isClosed;
  private volatile @Nullable RuntimeException failure;

  /** Begins to read at an offset. */
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
      LOG.debug("{} is not watched any more", watched);
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  /** Returns what is known where retention has removed the place and the brokers do not answer. */
  private long reached(long known) {
    try {
      return consumer.position(watched, POLL);
    } catch (TimeoutException e) {
      LOG.debug("How far {} was watched is being asked for", watched, e);
      return known;
    }
  }

  /** Returns the marker that a record is, or null; warns of a broken one, which starts nothing. */
  private static @Nullable WriterEpochMarker marker(ConsumerRecord<byte[], byte[]> record) {
    if (!WriterEpochMarker.isIn(record.value(), record.headers())) {
      return null;
    }
    try {
      return WriterEpochMarker.of(record.headers());
    } catch (WireException e) {
      LOG.warn(
          "Offset {} of {}-{} is ignored, its writer-epoch marker is broken: {}",
          record.offset(),
          record.topic(),
          record.partition(),
          e.getMessage());
      return null;
    }
  }

  /**
   * Hands over the markers that were read since the last call, and does not wait.
   *
   * @return an offset that no marker stands before which was not handed over
   * @throws IllegalStateException if the partition cannot be read
   */
  long handOver(java.util.function.Consumer<WriterEpochMarker> reader) {
    RuntimeException failed = failure;
    if (failed != null) {
      throw new IllegalStateException(watched + " cannot be watched for markers", failed);
    }
    long upTo = position; // before the queue is emptied: what stands before it is in there
    for (WriterEpochMarker marker = markers.poll(); marker != null; marker = markers.poll()) {
      reader.accept(marker);
    }
    return upTo;
  }

  /** Waits a second at most; the thread ends by itself whatever it is busy with. */
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
