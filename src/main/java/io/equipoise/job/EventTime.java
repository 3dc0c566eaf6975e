package io.equipoise.job;

import io.equipoise.event.Decoded;
import java.time.Clock;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.util.clock.RelativeClock;

/**
 * Event time of the input topics, partition by partition.
 *
 * <p>A partition's watermark follows its newest usable event time, less the out-of-orderness. A
 * partition that was idle for {@code idleAdvance}, on a clock that stands still while its source is
 * back-pressured, follows the clock less the allowed skew, so that quiet topics expire too.
 *
 * <p>Flink makes one generator for the main output of each source subtask before those of its
 * partitions. No record ever reaches that one, and it must emit nothing: following the clock, it
 * would overtake partitions that are busy.
 */
final class EventTime implements WatermarkGeneratorSupplier<Decoded> {
  private static final long serialVersionUID = 1L;

  private final Duration outOfOrderness;
  private final Duration idleAdvance;
  private final Duration allowedSkew;
  private final Clock clock;
  private transient boolean isMainOutputServed;

  private EventTime(
      Duration outOfOrderness, Duration idleAdvance, Duration allowedSkew, Clock clock) {
    this.outOfOrderness = outOfOrderness;
    this.idleAdvance = idleAdvance;
    this.allowedSkew = allowedSkew;
    this.clock = clock;
  }

  /** Returns the strategy of the input topics. */
  static WatermarkStrategy<Decoded> ofInputs(JobConfig config, Clock clock) {
    EventTime supplier =
        new EventTime(config.outOfOrderness(), config.idleAdvance(), config.allowedSkew(), clock);
    return WatermarkStrategy.<Decoded>forGenerator(supplier)
        .withTimestampAssigner((decoded, appended) -> timeOf(decoded, appended));
  }

  /** Returns the strategy of a control topic, which never holds event time back. */
  static <T> WatermarkStrategy<T> ofControl() {
    return WatermarkStrategy.forGenerator(context -> new Unbounded<>());
  }

  @Override
  public WatermarkGenerator<Decoded> createWatermarkGenerator(Context context) {
    if (!isMainOutputServed) {
      isMainOutputServed = true;
      return new Silent();
    }
    return new OfPartition(context.getInputActivityClock());
  }

  private static long timeOf(Decoded decoded, long appended) {
    return decoded instanceof Decoded.Good good ? good.input().eventTime() : appended;
  }

  private static boolean movesTime(Decoded decoded) {
    return decoded instanceof Decoded.Good good && good.input().fault() == null;
  }

  private final class OfPartition implements WatermarkGenerator<Decoded> {
    private final RelativeClock activity;
    private long newest = Long.MIN_VALUE;
    private long activeAt;

    OfPartition(RelativeClock activity) {
      this.activity = activity;
      this.activeAt = activity.relativeTimeMillis();
    }

    @Override
    public void onEvent(Decoded decoded, long eventTime, WatermarkOutput output) {
      activeAt = activity.relativeTimeMillis();
      if (movesTime(decoded)) {
        newest = Math.max(newest, eventTime);
      }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
      long reached = Long.MIN_VALUE;
      if (newest != Long.MIN_VALUE) {
        reached = newest - outOfOrderness.toMillis() - 1;
      }
      if (activity.relativeTimeMillis() - activeAt >= idleAdvance.toMillis()) {
        reached = Math.max(reached, clock.millis() - allowedSkew.toMillis());
      }
      if (reached != Long.MIN_VALUE) {
        output.emitWatermark(new Watermark(reached));
      }
    }
  }

  private static final class Silent implements WatermarkGenerator<Decoded> {
    @Override
    public void onEvent(Decoded decoded, long eventTime, WatermarkOutput output) {}

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  private static final class Unbounded<T> implements WatermarkGenerator<T> {
    @Override
    public void onEvent(T event, long eventTime, WatermarkOutput output) {}

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
      output.emitWatermark(Watermark.MAX_WATERMARK);
    }
  }
}
