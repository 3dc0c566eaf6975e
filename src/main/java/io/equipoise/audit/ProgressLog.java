package io.equipoise.audit;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import io.equipoise.event.WriterSchemas;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints every two seconds how many records of a log are read. A log is read in several passes,
 * whose numbers the lines begin with.
 */
final class ProgressLog implements CommittedLog {
  private static final long EVERY_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int LOOK_EVERY = 1 << 10;

  private final CommittedLog log;
  private final PrintWriter out;
  private final LongSupplier nanos;
  private long printed;
  private int passes;

  ProgressLog(CommittedLog log, PrintWriter out) {
    this(log, out, System::nanoTime);
  }

  /** As {@link #ProgressLog(CommittedLog, PrintWriter)}, by another clock. */
  ProgressLog(CommittedLog log, PrintWriter out, LongSupplier nanos) {
    this.log = log;
    this.out = out;
    this.nanos = nanos;
    this.printed = nanos.getAsLong();
  }

  @Override
  public List<OffsetRange> slices(LogTopic topic) {
    return log.slices(topic);
  }

  @Override
  public LogReader read(List<OffsetRange> slices) {
    LogReader reader = log.read(slices);
    long all = slices.stream().mapToLong(OffsetRange::size).sum();
    String topics =
        slices.stream()
            .map(
                offsetRange ->
                    offsetRange.topic().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .distinct()
            .collect(Collectors.joining(", "));
    String pass = "pass " + ++passes + ", " + topics;
    return new LogReader() {
      private long read;

      @Override
      public @Nullable LogRecord next() {
        LogRecord next = reader.next();
        if (++read % LOOK_EVERY == 0) {
          print(pass, read, all);
        }
        return next;
      }

      @Override
      public void close() {
        reader.close();
      }
    };
  }

  @Override
  public WriterSchemas writers() {
    return log.writers();
  }

  @Override
  public Map<OffsetRange, Long> endsNow(List<OffsetRange> slices) {
    return log.endsNow(slices);
  }

  private void print(String pass, long read, long all) {
    long now = nanos.getAsLong();
    if (now - printed > EVERY_NANOS) {
      printed = now;
      out.println(pass + ": " + read + " of at most " + all + " records read");
      out.flush();
    }
  }
}
