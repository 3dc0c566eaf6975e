package io.equipoise.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressLogTest {
  private static final OffsetRange RANGE =
      new OffsetRange(LogTopic.DECISIONS, "a.decisions", 0, 0, 2_000, 2_000);

  /** Returns as many records as the range has. */
  private static final class Repeated implements CommittedLog {
    @Override
    public List<OffsetRange> slices(LogTopic topic) {
      return List.of(RANGE);
    }

    @Override
    public LogReader read(List<OffsetRange> slices) {
      AtomicInteger left = new AtomicInteger((int) RANGE.size());
      return new LogReader() {
        @Override
        public @Nullable LogRecord next() {
          return left.getAndDecrement() > 0 ? new LogRecord(RANGE, 0, 0, null, null) : null;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public Map<OffsetRange, Long> endsNow(List<OffsetRange> slices) {
      return Map.of();
    }
  }

  /** The counts of several passes looked like one that starts again and again. */
  @Test
  void aLineNamesItsPass() {
    StringWriter lines = new StringWriter();
    AtomicLong seconds = new AtomicLong();
    CommittedLog log =
        new ProgressLog(
            new Repeated(),
            new PrintWriter(lines),
            () -> Duration.ofSeconds(3 * seconds.getAndIncrement()).toNanos());
    log.forEach(List.of(RANGE), record -> {});
    log.forEach(List.of(RANGE), record -> {});
    assertEquals(
        List.of(
            "pass 1, decisions: 1024 of at most 2000 records read",
            "pass 2, decisions: 1024 of at most 2000 records read"),
        lines.toString().lines().toList());
  }
}
