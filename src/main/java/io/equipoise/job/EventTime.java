package io.equipoise.job;

import io.equipoise.event.Decoded;
import io.equipoise.event.Source;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.SegmentContext;
import java.time.Clock;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.clock.RelativeClock;

/**
 * Computes event time of the input topics, partition by partition. The source's task thread runs
 * the generators; nothing is checkpointed.
 *
 * <p>A partition's watermark is the newest valid event time minus the allowed out-of-orderness. An
 * event time ahead of the append time counts as the append time, so that a forged time does not
 * expire pending decisions early.
 *
 * <p>A partition that has been read to its end delays no other: it follows the newest append time
 * of all inputs minus {@code maxAppendDelay}. {@link InputEnds} asks the brokers for that time
 * first and for the partition's end second, and the reader reports it when its position has reached
 * that end. So every later record of the partition was appended after that time, whatever the clock
 * of this machine. It follows that a reward is read before its window closes if it was appended
 * within {@code maxAppendDelay} after the window's end, less the difference between the brokers'
 * clocks:
 *
 * <ul>
 *   <li>A watermark of the partition past the window's end comes from an earlier record with a
 *       later event time, and so with a later append time; or
 *   <li>from an end before the reward, so the reward was appended after the newest append time,
 *       which is {@code maxAppendDelay} past the window's end.
 * </ul>
 *
 * <p>If no record advances the time of any partition for {@code idleTimeout}, a partition that is
 * read to its end follows the time at which the reader last knew so, minus the allowed skew. A
 * partition that has not been known to be read to its end for as long, because its broker does not
 * answer or its topic is behind, follows the clock minus the skew. That clock stops while the
 * source is back-pressured. Invalid records and records that are not newer do not reset the idle
 * time: they could delay all segments indefinitely.
 *
 * <p>Senders choose event times, so none may hold back other segments. What an event time lags
 * behind its append time counts as idle time: a record that lags by {@code idleTimeout} or more is
 * ignored, and one that lags less leaves the partition only the rest. In a backlog the lag to the
 * append time is small however old the records are, so there the event times count, and rewards
 * wait for contexts. A topic without append times has only the timestamps of its producers: there,
 * lag is relative to those.
 *
 * <p>Flink creates one generator for the main output of each source subtask before those of its
 * partitions. That generator receives no records and must emit nothing. If it followed the clock,
 * it would overtake busy partitions. It must not mark its subtask idle either: a subtask whose
 * partitions are not assigned yet would not hold back the others, and they would pass its backlog.
 * A subtask that never gets a partition would hold back the job forever; {@link InputEnumerator}
 * excludes it.
 */
final class EventTime implements WatermarkGeneratorSupplier<Decoded> {
  private static final long serialVersionUID = 1L;

  /** The sources whose event times Flink aligns. */
  private static final String INPUTS = "inputs";

  /** Each comparison is a call between the job manager and each source subtask, both ways. */
  private static final Duration ALIGNED_EVERY = Duration.ofSeconds(1);

  private static final Duration UNLIMITED = Duration.ofDays(365_000);

  private final Duration maxOutOfOrderness;
  private final Duration maxAppendDelay;
  private final Duration idleTimeout;
  private final Duration maxClockSkew;
  private final Clock clock;
  private transient boolean isMainOutputServed;

  private EventTime(JobConfig config, Clock clock) {
    this.maxOutOfOrderness = config.maxOutOfOrderness();
    this.maxAppendDelay = config.maxAppendDelay();
    this.idleTimeout = config.idleTimeout();
    this.maxClockSkew = config.maxClockSkew();
    this.clock = clock;
  }

  /** Returns the strategy of {@code contexts}, which are never held back for rewards. */
  static WatermarkStrategy<Decoded> ofContexts(JobConfig config, Clock clock) {
    return ofInputs(config, clock, UNLIMITED);
  }

  /**
   * Returns the strategy of {@code rewards}. In a backlog, rewards wait for the contexts; otherwise
   * nearly all would be buffered as early rewards. Their allowed lead is the greatest lag of a
   * contexts partition that is read to its end, so no reward waits while the job keeps up.
   */
  static WatermarkStrategy<Decoded> ofRewards(JobConfig config, Clock clock) {
    Duration quiet =
        config.idleTimeout().compareTo(config.maxClockSkew()) > 0
            ? config.idleTimeout()
            : config.maxClockSkew();
    return ofInputs(config, clock, quiet.plus(config.maxOutOfOrderness()).plus(ALIGNED_EVERY));
  }

  private static WatermarkStrategy<Decoded> ofInputs(
      JobConfig config, Clock clock, Duration mostAhead) {
    return WatermarkStrategy.<Decoded>forGenerator(new EventTime(config, clock))
        .withTimestampAssigner((decoded, stamped) -> stamped)
        .withWatermarkAlignment(INPUTS, mostAhead, ALIGNED_EVERY);
  }

  /** Returns the strategy of a control topic, which never holds back event time. */
  static <T> WatermarkStrategy<T> ofControl() {
    return WatermarkStrategy.forGenerator(context -> new Unbounded<>());
  }

  @Override
  public WatermarkGenerator<Decoded> createWatermarkGenerator(Context context) {
    if (!isMainOutputServed) {
      isMainOutputServed = true;
      return new Silent();
    }
    return new OfPartition(context.getInputActivityClock(), context.getMetricGroup());
  }

  /**
   * Returns the time that a record advances its partition to; Long.MIN_VALUE if it advances none.
   */
  private static long reachedBy(Decoded decoded) {
    return decoded instanceof Decoded.Good good && good.input().fault() == null
        ? SegmentContext.plausibleTime(good.input())
        : Long.MIN_VALUE;
  }

  private final class OfPartition implements WatermarkGenerator<Decoded> {
    private final RelativeClock activity;
    private final MetricGroup metrics;
    private final long begun;
    private volatile long reached = Long.MIN_VALUE;
    private long newest = Long.MIN_VALUE;
    private long newestAppended;
    private long activeAt;
    private long askedAt;
    private long progressedAt;
    private boolean isMeasured;

    OfPartition(RelativeClock activity, MetricGroup metrics) {
      this.activity = activity;
      this.metrics = metrics;
      this.begun = clock.millis();
      this.activeAt = activity.relativeTimeMillis();
      this.progressedAt = activeAt - idleTimeout.toMillis();
    }

    @Override
    public void onEvent(Decoded decoded, long stamped, WatermarkOutput output) {
      if (!isMeasured) {
        isMeasured = true;
        measure(decoded);
      }
      if (decoded instanceof Decoded.Progress progress) {
        onProgress(progress);
        return;
      }
      long time = reachedBy(decoded);
      if (time <= newest) {
        return;
      }
      long lag = Math.max(0, Math.min(stamped, clock.millis()) - time);
      if (lag < idleTimeout.toMillis()) {
        newest = time;
        activeAt = activity.relativeTimeMillis() - lag;
      }
    }

    private void onProgress(Decoded.Progress progress) {
      if (progress.askedAt() == 0) {
        return;
      }
      askedAt = progress.askedAt();
      progressedAt = activity.relativeTimeMillis();
      if (progress.newestAppendTime() > newestAppended) {
        newestAppended = progress.newestAppendTime();
        activeAt = Math.max(activeAt, progressedAt - maxAppendDelay.toMillis());
      }
    }

    /** The first element identifies the partition; it is the one of the assignment. */
    private void measure(Decoded decoded) {
      String topic;
      int partition;
      if (decoded instanceof Decoded.Progress progress) {
        topic = progress.topic();
        partition = progress.partition();
      } else if (decoded instanceof Decoded.Good good) {
        topic = good.input().origin().topic();
        partition = good.input().origin().partition();
      } else {
        Source source = ((Decoded.Bad) decoded).letter().source();
        topic = source.topic();
        partition = source.partition();
      }
      JobMetric.EVENT_TIME_LAG.gauge(
          metrics,
          () -> clock.millis() - (reached == Long.MIN_VALUE ? begun : reached),
          topic,
          String.valueOf(partition));
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
      long next = Long.MIN_VALUE;
      if (newest != Long.MIN_VALUE) {
        next = newest - maxOutOfOrderness.toMillis() - 1;
      }
      if (newestAppended > 0) {
        next = Math.max(next, newestAppended - maxAppendDelay.toMillis() - 1);
      }
      long now = activity.relativeTimeMillis();
      if (now - activeAt >= idleTimeout.toMillis()) {
        boolean isReadToItsEnd = now - progressedAt < idleTimeout.toMillis();
        next =
            Math.max(next, (isReadToItsEnd ? askedAt : clock.millis()) - maxClockSkew.toMillis());
      }
      if (next != Long.MIN_VALUE) {
        reached = Math.max(reached, next);
        output.emitWatermark(new Watermark(next));
      }
    }
  }

  private static final class Silent implements WatermarkGenerator<Decoded> {
    @Override
    public void onEvent(Decoded decoded, long stamped, WatermarkOutput output) {}

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  private static final class Unbounded<T> implements WatermarkGenerator<T> {
    @Override
    public void onEvent(T event, long stamped, WatermarkOutput output) {}

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
      output.emitWatermark(Watermark.MAX_WATERMARK);
    }
  }
}
