package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decoded;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.options.JobConfig;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkAlignmentParams;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.clock.RelativeClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With 5 s out-of-orderness, 10 min skew and 30 min until a partition counts as idle. */
class EventTimeTest {
  private static final long NOON = 1_700_000_000_000L;
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;

  private final ManualClock clock = new ManualClock();
  private final Gauges metrics = new Gauges(new TreeMap<>(), "");
  private final Watermarks output = new Watermarks();
  private final WatermarkStrategy<Decoded> strategy = EventTime.ofContexts(config(), clock);
  private final WatermarkGenerator<Decoded> mainOutput = generator(strategy);
  private final WatermarkGenerator<Decoded> partition = generator(strategy);

  @Test
  void timeFollowsTheNewestRecordLessTheOutOfOrderness() {
    partition.onPeriodicEmit(output);
    assertEquals(List.of(), output.emitted, "nothing is known before the first record");
    read(good(NOON));
    read(good(NOON - 60 * MINUTE));
    partition.onPeriodicEmit(output);
    assertEquals(List.of(NOON - 5 * SECOND - 1), output.emitted);
    read(good(NOON + SECOND));
    partition.onPeriodicEmit(output);
    assertEquals(NOON - 4 * SECOND - 1, output.last());
  }

  @Test
  void recordsThatCannotBeUsedDoNotMoveTime() {
    read(good(NOON));
    read(faulty(NOON + 1_000 * MINUTE, ErrorCode.EVENT_TIME_IN_FUTURE));
    read(bad());
    partition.onPeriodicEmit(output);
    assertEquals(NOON - 5 * SECOND - 1, output.last());
  }

  @Test
  void anIdlePartitionFollowsTheClockLessTheSkew() {
    read(good(NOON));
    clock.pass(30 * MINUTE - 1);
    partition.onPeriodicEmit(output);
    assertEquals(NOON - 5 * SECOND - 1, output.last(), "not idle for long enough");
    clock.pass(1);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 20 * MINUTE, output.last());
    clock.pass(MINUTE);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 21 * MINUTE, output.last());
  }

  @Test
  void aPartitionThatNeverHadARecordFollowsTheClockToo() {
    clock.pass(30 * MINUTE);
    partition.onPeriodicEmit(output);
    assertEquals(List.of(NOON + 20 * MINUTE), output.emitted);
  }

  @Test
  void theClockOfIdlenessStandsStillUnderBackPressure() {
    read(good(NOON));
    clock.passWhileBackPressured(120 * MINUTE);
    partition.onPeriodicEmit(output);
    assertEquals(NOON - 5 * SECOND - 1, output.last());
  }

  /** Else garbage, or a producer whose clock stopped, would hold all segments back for ever. */
  @Test
  void onlyARecordThatMovesTimeEndsIdleness() {
    read(good(NOON));
    clock.pass(29 * MINUTE);
    read(faulty(NOON, ErrorCode.EVENT_TIME_IN_FUTURE));
    read(bad());
    read(good(NOON));
    clock.pass(MINUTE);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 20 * MINUTE, output.last());
    clock.pass(29 * MINUTE);
    read(good(NOON + 30 * MINUTE));
    clock.pass(2 * MINUTE);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 30 * MINUTE - 5 * SECOND - 1, output.last());
  }

  /**
   * Else the first records after a long outage could come behind the clock. The price: a job that
   * restarts more often than every 30 minutes keeps its time where its quiet partitions are.
   */
  @Test
  void aRestartBeginsTheTimeUntilIdlenessAnew() {
    clock.pass(29 * MINUTE);
    for (int restart = 0; restart < 3; restart++) {
      WatermarkStrategy<Decoded> restarted = EventTime.ofContexts(config(), clock);
      generator(restarted); // of the main output
      WatermarkGenerator<Decoded> quiet = generator(restarted);
      clock.pass(29 * MINUTE);
      quiet.onPeriodicEmit(output);
      assertEquals(List.of(), output.emitted);
      if (restart == 2) {
        clock.pass(MINUTE);
        quiet.onPeriodicEmit(output);
      }
    }
    assertEquals(List.of(NOON + (4 * 29 + 1 - 10) * MINUTE), output.emitted);
  }

  /** However wrong the clock of this machine is. */
  @Test
  void aPartitionReadToItsEndFollowsTheNewestAppendTimeLessTheDelay() {
    clock.passWhileBackPressured(10_000 * MINUTE);
    atEnd(NOON);
    assertEquals(NOON - 5 * SECOND - 1, output.last());
    atEnd(NOON - MINUTE);
    assertEquals(NOON - 5 * SECOND - 1, output.last(), "the brokers' clocks differ");
    atEnd(NOON + MINUTE);
    assertEquals(NOON + 55 * SECOND - 1, output.last());
  }

  @Test
  void anAssignedPartitionThatWasNotReadToItsEndMovesNothing() {
    read(assigned());
    partition.onPeriodicEmit(output);
    assertEquals(List.of(), output.emitted);
    clock.pass(30 * MINUTE);
    partition.onPeriodicEmit(output);
    assertEquals(List.of(NOON + 20 * MINUTE), output.emitted);
  }

  /** Its records of before may be unread. */
  @Test
  void whileABrokerIsAwayItsPartitionWaitsForTheIdleTimeoutSinceItsLastEnd() {
    clock.pass(120 * MINUTE);
    atEnd(NOON + 120 * MINUTE);
    clock.pass(30 * MINUTE - 5 * SECOND - 1);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 120 * MINUTE - 5 * SECOND - 1, output.last());
    clock.pass(5 * SECOND + 1);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 140 * MINUTE, output.last());
  }

  /** And when the brokers leave then, they may keep records of after the last question. */
  @Test
  void withoutProducersThePartitionsFollowTheLastQuestionLessTheSkew() {
    atEnd(NOON);
    for (int minute = 1; minute <= 60; minute++) {
      clock.pass(MINUTE);
      atEnd(NOON);
    }
    assertEquals(NOON + 50 * MINUTE, output.last());
    clock.pass(30 * MINUTE - 1);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 50 * MINUTE, output.last());
    clock.pass(1);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 80 * MINUTE, output.last());
  }

  /** Topics without append times have ends too. */
  @Test
  void withoutAppendTimesAnEndMovesNothingBeforeTheIdleTimeout() {
    atEnd(0);
    assertTrue(output.emitted.isEmpty());
    clock.pass(30 * MINUTE);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 20 * MINUTE, output.last());
  }

  /** Within the allowed skew anybody may send such a time, of any segment. */
  @Test
  void aTimeAheadOfItsAppendTimeMovesTimeToTheAppendTimeOnly() {
    partition.onEvent(good(NOON + 9 * MINUTE, NOON), NOON, output);
    partition.onPeriodicEmit(output);
    assertEquals(NOON - 5 * SECOND - 1, output.last());
  }

  @Test
  void howFarAPartitionIsBehindIsAMetric() {
    clock.pass(MINUTE);
    read(bad());
    assertEquals(Map.of("topic contexts partition 0 eventTimeLag", MINUTE), lags());
    read(good(NOON));
    partition.onPeriodicEmit(output);
    assertEquals(
        Map.of("topic contexts partition 0 eventTimeLag", MINUTE + 5 * SECOND + 1), lags());
  }

  @Test
  void aPartitionWithoutRecordsHasTheMetricToo() {
    read(assigned());
    clock.pass(MINUTE);
    assertEquals(Map.of("topic contexts partition 0 eventTimeLag", MINUTE), lags());
    atEnd(NOON + MINUTE);
    assertEquals(Map.of("topic contexts partition 0 eventTimeLag", 5 * SECOND + 1), lags());
  }

  @Test
  void timeNeverFollowsTheClockBackwards() {
    clock.pass(0);
    read(good(NOON + 60 * MINUTE));
    clock.pass(30 * MINUTE);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + 60 * MINUTE - 5 * SECOND - 1, output.last());
  }

  /** Flink makes the generator of the main output first, and no record reaches it. */
  @Test
  void theFirstGeneratorIsSilent() {
    clock.pass(120 * MINUTE);
    mainOutput.onEvent(good(NOON), NOON, output);
    mainOutput.onPeriodicEmit(output);
    assertEquals(List.of(), output.emitted);
  }

  @Test
  void everyLaterGeneratorIsAPartitions() {
    clock.pass(30 * MINUTE);
    WatermarkGenerator<Decoded> third = generator(strategy);
    clock.pass(30 * MINUTE);
    third.onPeriodicEmit(output);
    assertEquals(List.of(NOON + 50 * MINUTE), output.emitted);
  }

  /** Thirty minutes of idleness, 5 s of out-of-orderness and one comparison. */
  @Test
  void rewardsWaitForContextsAndContextsForNothing() {
    WatermarkAlignmentParams contexts = strategy.getAlignmentParameters();
    WatermarkAlignmentParams rewards =
        EventTime.ofRewards(config(), clock).getAlignmentParameters();
    assertEquals(contexts.getWatermarkGroup(), rewards.getWatermarkGroup());
    assertEquals(30 * MINUTE + 6 * SECOND, rewards.getMaxAllowedWatermarkDrift());
    assertEquals(365_000L * 24 * 60 * MINUTE, contexts.getMaxAllowedWatermarkDrift());
  }

  @Test
  void controlNeverHoldsTimeBack() {
    WatermarkGenerator<RawControl> control = generator(EventTime.<RawControl>ofControl());
    control.onPeriodicEmit(output);
    control.onPeriodicEmit(output);
    assertEquals(List.of(Long.MAX_VALUE, Long.MAX_VALUE), output.emitted);
  }

  /** In lag no topic but one with append times is safe from its producers. */
  @Test
  void recordsCarryTheTimestampOfTheirTopic() {
    TimestampAssigner<Decoded> assigner =
        strategy.createTimestampAssigner(UnregisteredMetricsGroup::new);
    assertEquals(5, assigner.extractTimestamp(good(NOON), 5));
    assertEquals(5, assigner.extractTimestamp(bad(), 5));
  }

  /** Else it stops rewards and windows of all segments, alone on a partition. */
  @Test
  void aSenderOfOldTimesMovesNothing() {
    for (int minute = 0; minute < 90; minute++) {
      read(good(NOON + (minute - 30) * MINUTE, NOON + minute * MINUTE));
      partition.onPeriodicEmit(output);
      if (minute < 30) {
        assertEquals(List.of(), output.emitted, "as if it had no record");
      } else {
        assertEquals(NOON + (minute - 10) * MINUTE, output.last(), "as if it had no record");
      }
      clock.pass(MINUTE);
    }
  }

  /** What rewards may lead contexts by is this lag, so no sender keeps them waiting. */
  @Test
  void noSenderHoldsBackAPartitionFurtherThanSilenceDoes() {
    for (int lag = 0; lag <= 40; lag++) {
      for (int pause = 1; pause <= 40; pause++) {
        ManualClock own = new ManualClock();
        WatermarkStrategy<Decoded> made = EventTime.ofContexts(config(), own);
        generator(made, own); // of the main output
        WatermarkGenerator<Decoded> attacked = generator(made, own);
        Watermarks seen = new Watermarks();
        for (int minute = 0; minute < 120; minute++) {
          if (minute % pause == 0) {
            Decoded sent = good(own.millis() - lag * MINUTE, own.millis());
            attacked.onEvent(sent, own.millis(), seen);
          }
          attacked.onPeriodicEmit(seen);
          if (!seen.emitted.isEmpty()) {
            long behind = own.millis() - seen.newest();
            assertTrue(
                behind <= 30 * MINUTE + 5 * SECOND + 1,
                "%d min old each %d min: %d ms behind".formatted(lag, pause, behind));
          }
          own.pass(MINUTE);
        }
        assertFalse(seen.emitted.isEmpty());
      }
    }
  }

  /** A time far behind the clock is not old if its record was appended then. */
  @Test
  void inABacklogEventTimesCountByTheLagToTheirAppendTimes() {
    clock.passWhileBackPressured(10_000 * MINUTE);
    read(good(NOON + MINUTE, NOON + 2 * MINUTE));
    partition.onPeriodicEmit(output);
    assertEquals(NOON + MINUTE - 5 * SECOND - 1, output.last());
  }

  @Test
  void inABacklogWithoutAppendTimesTheTimestampsOfProducersCount() {
    clock.passWhileBackPressured(10_000 * MINUTE);
    partition.onEvent(good(NOON + MINUTE, clock.millis()), NOON + 2 * MINUTE, output);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + MINUTE - 5 * SECOND - 1, output.last());
    partition.onEvent(good(NOON + 2 * MINUTE, clock.millis()), Long.MAX_VALUE, output);
    partition.onPeriodicEmit(output);
    assertEquals(NOON + MINUTE - 5 * SECOND - 1, output.last(), "a stamp counts as the clock");
  }

  /**
   * Brokers away, readers that stand still, a backlog of hours on some partitions: a reward that
   * was appended in time comes before event time has passed its window's end.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noRewardThatWasAppendedInTimeComesAfterItsWindow(boolean hasBacklog) {
    int inTime = 0;
    for (int seed = 0; seed < 20; seed++) {
      History history = new History(seed, true);
      if (hasBacklog) {
        history.backlog();
      }
      history.pass(20 * MINUTE);
      inTime += history.inTime;
    }
    assertTrue(inTime > 20 * 500, "rewards in time: " + inTime);
  }

  @Test
  void windowsCloseWithinTenSecondsWhileEveryPartitionCanBeRead() {
    for (int seed = 0; seed < 10; seed++) {
      History history = new History(seed, false);
      history.pass(20 * SECOND);
      for (int step = 0; step < 600; step++) {
        history.pass(SECOND);
        long lag = history.now() - history.watermark;
        assertTrue(lag <= 10 * SECOND, "event time lags by " + lag);
      }
    }
  }

  /**
   * Four partitions, two of contexts and two of rewards, that are appended to, asked for their ends
   * and read at random. The reader's clock differs from the brokers'.
   */
  private final class History {
    private static final long STEP = 200;
    private static final long WINDOW = 20 * SECOND;
    private static final long MAX_APPEND_DELAY = 5 * SECOND;

    private final SplittableRandom random;
    private final boolean hasFaults;
    private final long ahead;
    private final List<Part> parts = new ArrayList<>();
    private final PriorityQueue<Item> due =
        new PriorityQueue<>(Comparator.comparingLong(Item::appended));
    private long watermark = Long.MIN_VALUE;
    private long newestFound;
    private long askedAt;
    private int inTime;

    /** A record; of a context the window's end is that of its reward. */
    private record Item(int part, long appended, long time, long windowEnd) {
      boolean isInTime() {
        return part > 1 && appended <= windowEnd + MAX_APPEND_DELAY;
      }
    }

    private final class Part {
      private final WatermarkGenerator<Decoded> generator;
      private final Watermarks watermarks = new Watermarks();
      private final List<Item> log = new ArrayList<>();
      private int position;
      private int atMost = 1_000;
      private long leaderlessUntil = Long.MIN_VALUE;
      private long unreadUntil = Long.MIN_VALUE;
      private Decoded.@Nullable Progress mark;
      private int end;

      Part(WatermarkStrategy<Decoded> made) {
        generator = generator(made);
        generator.onEvent(assigned(), Long.MIN_VALUE, watermarks);
      }

      boolean hasLeader() {
        return now() >= leaderlessUntil;
      }

      void read() {
        for (int i = 0; i < atMost && position < log.size(); i++) {
          Item item = log.get(position++);
          if (item.isInTime()) {
            inTime++;
            assertTrue(watermark < item.windowEnd, () -> "late by event time: " + item);
          }
          generator.onEvent(good(item.time, item.appended), item.appended, watermarks);
        }
        Decoded.Progress reached = mark;
        if (reached != null && position >= end) {
          generator.onEvent(reached, Long.MIN_VALUE, watermarks);
          mark = null;
        }
      }
    }

    History(long seed, boolean hasFaults) {
      this.random = new SplittableRandom(seed);
      this.hasFaults = hasFaults;
      this.ahead = random.nextLong(-20 * SECOND, 20 * SECOND);
      WatermarkStrategy<Decoded> made = EventTime.ofContexts(config(), clock);
      generator(made); // of the main output
      for (int i = 0; i < 4; i++) {
        parts.add(new Part(made));
      }
    }

    /** The brokers' time. */
    long now() {
      return clock.millis() + ahead;
    }

    /** Three hours of records that one partition of each topic still has to read, slowly. */
    void backlog() {
      long begun = now() - 180 * MINUTE;
      for (int i = 0; i < 5_400; i++) {
        long time = begun + i * 2L * SECOND;
        parts.get(0).log.add(new Item(0, time, time, 0));
        parts.get(2).log.add(new Item(2, time + 1, time + 1 - WINDOW, time + 1));
      }
      parts.get(0).atMost = 1 + random.nextInt(20);
      parts.get(2).atMost = 1 + random.nextInt(60);
    }

    void pass(long millis) {
      for (long passed = 0; passed < millis; passed += STEP) {
        clock.pass(STEP);
        if (hasFaults) {
          breakSomething();
        }
        append();
        ask(passed / STEP);
        parts.forEach(
            part -> {
              if (part.hasLeader() && now() >= part.unreadUntil) {
                part.read();
              }
              part.generator.onPeriodicEmit(part.watermarks);
            });
        parts.stream()
            .mapToLong(part -> part.watermarks.newest())
            .min()
            .ifPresent(least -> watermark = Math.max(watermark, least));
      }
    }

    private void breakSomething() {
      Part part = parts.get(random.nextInt(4));
      long until = now() + random.nextLong(8 * MINUTE);
      if (random.nextInt(600) == 0) {
        part.leaderlessUntil = until;
      } else if (random.nextInt(600) == 0) {
        part.unreadUntil = until;
      }
    }

    private void append() {
      if (random.nextBoolean()) {
        int part = random.nextInt(2);
        long time = now() - random.nextLong(2 * SECOND);
        long end = time + WINDOW;
        due.add(new Item(part, now(), time, end));
        long sent = time + random.nextLong(WINDOW + MAX_APPEND_DELAY);
        due.add(new Item(2 + random.nextInt(2), Math.max(sent, now()), Math.min(sent, end), end));
      }
      while (!due.isEmpty() && due.peek().appended <= now()) {
        Item item = due.remove();
        Part part = parts.get(item.part);
        if (part.hasLeader()) {
          part.log.add(new Item(item.part, now(), item.time, item.windowEnd));
        } else {
          due.add(new Item(item.part, part.leaderlessUntil, item.time, item.windowEnd));
        }
      }
    }

    /** Asks for the newest time in one step, and for the ends in the next one. */
    private void ask(long step) {
      if (step % 5 == 0) {
        askedAt = clock.millis();
        newestFound =
            parts.stream()
                .filter(part -> part.hasLeader() && !part.log.isEmpty())
                .mapToLong(part -> part.log.get(part.log.size() - 1).appended)
                .reduce(0, Math::max);
      } else if (step % 5 == 1) {
        for (Part part : parts) {
          if (part.hasLeader() && part.mark == null) {
            part.mark = new Decoded.Progress("contexts", 0, newestFound, askedAt);
            part.end = part.log.size();
          }
        }
      }
    }
  }

  private void read(Decoded decoded) {
    long appended =
        decoded instanceof Decoded.Good good ? good.input().origin().appendTime() : NOON + MINUTE;
    partition.onEvent(decoded, appended, output);
  }

  private void atEnd(long newestAppendTime) {
    read(new Decoded.Progress("contexts", 0, newestAppendTime, clock.millis()));
    partition.onPeriodicEmit(output);
  }

  private static Decoded assigned() {
    return new Decoded.Progress("contexts", 0, 0, 0);
  }

  private static Decoded bad() {
    return new Decoded.Bad(
        DeadLetter.undecodable(ErrorCode.MALFORMED, "no", origin(), new byte[0], new byte[0]));
  }

  private static Decoded good(long time) {
    return good(time, time);
  }

  private static Decoded good(long time, long appended) {
    Origin origin = new Origin("contexts", 0, 0, appended);
    return new Decoded.Good(
        new ContextEvent("d1", "s", time, Map.of(), null, null, origin, new byte[0]));
  }

  private Map<String, Long> lags() {
    Map<String, Long> lags = new TreeMap<>();
    metrics.gauges.forEach((name, gauge) -> lags.put(name, (Long) gauge.getValue()));
    return lags;
  }

  /** Remembers the gauges of all its groups. */
  private static final class Gauges extends UnregisteredMetricsGroup {
    private final Map<String, Gauge<?>> gauges;
    private final String path;

    Gauges(Map<String, Gauge<?>> gauges, String path) {
      this.gauges = gauges;
      this.path = path;
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
      return new Gauges(gauges, path + key + " " + value + " ");
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      gauges.put(path + name, gauge);
      return gauge;
    }
  }

  private static Decoded faulty(long time, ErrorCode fault) {
    return new Decoded.Good(
        new ContextEvent(
            "d1",
            "s",
            time,
            Map.of(),
            null,
            null,
            origin(),
            new byte[0],
            new InputFault(fault, "why"),
            null));
  }

  private static Origin origin() {
    return new Origin("contexts", 0, 0, NOON);
  }

  private static JobConfig config() {
    return JobConfig.from(
        Configuration.fromMap(
            Map.of(
                "equipoise.deployment", "shop",
                "kafka.bootstrap.servers", "nowhere:9092",
                "equipoise.time.max-clock-skew", "10 min",
                "equipoise.time.idle-timeout", "30 min",
                "equipoise.time.max-out-of-orderness", "5 s")));
  }

  private <T> WatermarkGenerator<T> generator(WatermarkStrategy<T> made) {
    return generator(made, clock);
  }

  private <T> WatermarkGenerator<T> generator(WatermarkStrategy<T> made, ManualClock now) {
    return made.createWatermarkGenerator(
        new WatermarkGeneratorSupplier.Context() {
          @Override
          public MetricGroup getMetricGroup() {
            return metrics;
          }

          @Override
          public RelativeClock getInputActivityClock() {
            return now.activity;
          }
        });
  }

  /** Passes when told; the activity clock stands still while back-pressured. */
  private static final class ManualClock extends Clock {
    private long now = NOON;
    private long active;
    private final RelativeClock activity =
        new RelativeClock() {
          @Override
          public long relativeTimeMillis() {
            return active;
          }

          @Override
          public long relativeTimeNanos() {
            return active * 1_000_000;
          }
        };

    void pass(long millis) {
      now += millis;
      active += millis;
    }

    void passWhileBackPressured(long millis) {
      now += millis;
    }

    @Override
    public long millis() {
      return now;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(now);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(@Nullable ZoneId zone) {
      return this;
    }
  }

  private static final class Watermarks implements WatermarkOutput {
    private final List<Long> emitted = new ArrayList<>();
    private long newest = Long.MIN_VALUE;

    @Override
    public void emitWatermark(Watermark watermark) {
      emitted.add(watermark.getTimestamp());
      newest = Math.max(newest, watermark.getTimestamp());
    }

    @Override
    public void markIdle() {}

    @Override
    public void markActive() {}

    long last() {
      return emitted.get(emitted.size() - 1);
    }

    /** Flink drops watermarks that are not newer. */
    long newest() {
      return newest;
    }
  }
}
