package io.equipoise.job.options;

import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * Sets when checkpoints are taken and how many may fail. Limits how long a transaction stays open.
 *
 * @param interval time between checkpoints
 * @param timeout time after which a checkpoint fails
 * @param minPause between the end of a checkpoint and the next one
 * @param toleratedFailures checkpoints in a row that may fail before the job is restarted
 */
public record Checkpointing(
    Duration interval, Duration timeout, Duration minPause, int toleratedFailures) {
  /** The default interval, close to the delay until an exactly-once decision is visible. */
  public static final Duration INTERVAL = Duration.ofMillis(500);

  /**
   * The default interval if no decision waits for a checkpoint: a snapshot covers more decisions.
   */
  static final Duration AT_LEAST_ONCE_INTERVAL = Duration.ofSeconds(5);

  static final Duration TIMEOUT = Duration.ofSeconds(30);
  static final Duration MIN_PAUSE = Duration.ofMillis(50);
  static final int TOLERATED_FAILURES = 8;

  private static final int MOST_FAILURES = 100;

  /** Flink's default of 4 kB is a call of the operating system for each 40 entries of state. */
  private static final int WRITE_BUFFER_BYTES = 256 << 10;

  static Checkpointing read(OptionReader reader, Configuration given, Delivery delivery) {
    Duration standard = delivery == Delivery.EXACTLY_ONCE ? INTERVAL : AT_LEAST_ONCE_INTERVAL;
    return new Checkpointing(
        duration(reader, given, CheckpointingOptions.CHECKPOINTING_INTERVAL, standard, 10, 10),
        duration(reader, given, CheckpointingOptions.CHECKPOINTING_TIMEOUT, TIMEOUT, 10, 60),
        duration(
            reader, given, CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, MIN_PAUSE, 0, 60),
        given.contains(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER)
            ? reader.read(
                CheckpointingOptions.TOLERABLE_FAILURE_NUMBER,
                TOLERATED_FAILURES,
                "0 to " + MOST_FAILURES,
                failures -> failures >= 0 && failures <= MOST_FAILURES)
            : TOLERATED_FAILURES);
  }

  private static Duration duration(
      OptionReader reader,
      Configuration given,
      ConfigOption<Duration> option,
      Duration standard,
      long leastMillis,
      long mostMinutes) {
    if (!given.contains(option)) {
      return standard;
    }
    Duration most = Duration.ofMinutes(mostMinutes);
    return reader.read(
        option,
        standard,
        leastMillis + " ms to " + mostMinutes + " min",
        value -> value.toMillis() >= leastMillis && value.compareTo(most) <= 0);
  }

  /** Sets all of these settings, so that the cluster's have no effect, and a large buffer. */
  void set(Configuration flink) {
    flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
    flink.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, timeout);
    flink.set(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, minPause);
    flink.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, toleratedFailures);
    if (!flink.contains(CheckpointingOptions.FS_WRITE_BUFFER_SIZE)) {
      flink.set(CheckpointingOptions.FS_WRITE_BUFFER_SIZE, WRITE_BUFFER_BYTES);
    }
  }

  /**
   * Returns the longest time from the first record of a transaction to its commit.
   *
   * <p>A transaction begins after the barrier of one checkpoint. The next checkpoint's barrier
   * closes it, after the first checkpoint is complete. The first complete checkpoint from then on
   * commits it, so at most {@link #toleratedFailures} failed checkpoints come before. (After more
   * failures the job restores the checkpoint before, and reads the inputs again.) If the job fails
   * between that checkpoint and the commit, it commits after its recovery.
   */
  Duration longestTransaction(Duration maxOutage) {
    Duration each = timeout.plus(minPause);
    return interval.plus(each.multipliedBy(toleratedFailures + 2L)).plus(maxOutage);
  }
}
