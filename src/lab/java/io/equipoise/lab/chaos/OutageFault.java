package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Ends all task managers after a checkpoint is complete and before its transactions are committed,
 * for longer than brokers keep transactions open. The records are lost; the gap in {@code seq} must
 * show it.
 */
record OutageFault() implements Fault {
  /**
   * Longer than a checkpoint takes on a busy machine; otherwise more would be lost than intended.
   */
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(60);

  /** The brokers look for old transactions every 10 seconds. */
  private static final Duration OUTAGE = TRANSACTION_TIMEOUT.plusSeconds(16);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "outage";
  }

  @Override
  public boolean exceedsGuarantee() {
    return true;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        "equipoise.max-outage",
        "20 s",
        "execution.checkpointing.timeout",
        "18 s",
        "execution.checkpointing.tolerable-failed-checkpoints",
        "0",
        "kafka.transaction.timeout.ms",
        Long.toString(TRANSACTION_TIMEOUT.toMillis()));
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    List<ClusterProcess> workers =
        context.cluster().members().stream()
            .filter(
                clusterProcess -> clusterProcess.kind() == ClusterProcess.ProcessKind.TASKMANAGER)
            .toList();
    List<ProcessHandle> processes =
        workers.stream()
            .flatMap(clusterProcess -> context.cluster().handle(clusterProcess).stream())
            .toList();
    Path checkpoints = context.cluster().layout().checkpoints().resolve(context.job().id());
    workers.forEach(context.supervisor()::hold);
    try {
      awaitCompletion(checkpoints);
      processes.forEach(ProcessHandle::destroyForcibly);
      Thread.sleep(OUTAGE.toMillis());
    } finally {
      workers.forEach(context.supervisor()::release);
    }
    return FaultEffect.at(System.nanoTime());
  }

  /** Spins, because between a checkpoint's last file and the commits are only milliseconds. */
  private static void awaitCompletion(Path checkpoints) {
    Path known = newest(checkpoints);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      Path newest = newest(checkpoints);
      if (!newest.equals(known)) {
        while (System.nanoTime() < deadline && Files.exists(newest)) {
          if (Files.exists(newest.resolve("_metadata"))) {
            return;
          }
          Thread.onSpinWait();
        }
        known = newest;
      }
    }
    throw new IllegalStateException("no checkpoint completes in " + checkpoints);
  }

  private static Path newest(Path checkpoints) {
    try (Stream<Path> all = Files.list(checkpoints)) {
      return all.filter(path -> number(path) >= 0)
          .reduce(checkpoints, (one, other) -> number(one) > number(other) ? one : other);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + checkpoints, e);
    }
  }

  private static long number(Path checkpoint) {
    String name = String.valueOf(checkpoint.getFileName());
    return name.matches("chk-\\d+") ? Long.parseLong(name.substring("chk-".length())) : -1;
  }
}
