package io.equipoise.offline.count;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.flink.core.execution.JobClient;

/** Asks a running job how many rows it has read, every second, until it is closed. */
final class Progress {
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "progress");
            thread.setDaemon(true);
            return thread;
          });

  private Progress() {}

  static Progress of(JobClient client, LongConsumer told) {
    Progress progress = new Progress();
    ScheduledFuture<?> unused = // ends with the timer
        progress.timer.scheduleWithFixedDelay(() -> ask(client, told), 1, 1, TimeUnit.SECONDS);
    return progress;
  }

  private static void ask(JobClient client, LongConsumer told) {
    try {
      Map<String, Object> counters = client.getAccumulators().get();
      if (counters.get(CountingJob.ROWS) instanceof Long rows) {
        told.accept(rows);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      // A job that begins or ends does not tell; it is asked again.
    }
  }

  void close() {
    timer.shutdownNow();
  }
}
