package io.equipoise.offline.count;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.flink.core.execution.JobClient;

/** Polls the number of read rows of a running job every second, until closed. */
final class CountProgress {
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "progress");
            thread.setDaemon(true);
            return thread;
          });

  private CountProgress() {}

  static CountProgress of(JobClient client, LongConsumer progress) {
    CountProgress countProgress = new CountProgress();
    ScheduledFuture<?> unused = // ends with the timer
        countProgress.timer.scheduleWithFixedDelay(
            () -> ask(client, progress), 1, 1, TimeUnit.SECONDS);
    return countProgress;
  }

  private static void ask(JobClient client, LongConsumer progress) {
    try {
      Map<String, Object> counters = client.getAccumulators().get();
      if (counters.get(CountingJob.ROWS) instanceof Long rows) {
        progress.accept(rows);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      // Jobs that are starting or ending do not report; the next poll tries again.
    }
  }

  void close() {
    timer.shutdownNow();
  }
}
