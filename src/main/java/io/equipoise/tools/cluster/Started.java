package io.equipoise.tools.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * Records a started process.
 *
 * @param name name of the member
 * @param startMillis start time according to the operating system, epoch milliseconds
 * @param arguments its only argument: the file with the others
 */
public record Started(String name, long pid, long startMillis, String arguments) {
  /** Systems derive start times from their boot time, which they may correct by a second. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /**
   * Returns the process if it still runs. Start time and command line identify it, because its id
   * may have been reused. An ended process that its parent has not collected has no command line.
   */
  public Optional<ProcessHandle> handle() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isThis);
  }

  /** Returns a process with this command line, which a killed keeper has left behind. */
  public Optional<ProcessHandle> orphan() {
    return ProcessHandle.allProcesses().filter(this::hasArguments).findFirst();
  }

  private boolean isThis(ProcessHandle process) {
    boolean isSameStart =
        process
            .info()
            .startInstant()
            .map(start -> isNear(start, Instant.ofEpochMilli(startMillis)))
            .orElse(false);
    return isSameStart && hasArguments(process);
  }

  private boolean hasArguments(ProcessHandle process) {
    return process
        .info()
        .arguments()
        .map(words -> Arrays.asList(words).contains(arguments))
        .orElse(false);
  }

  private static boolean isNear(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(TOLERANCE) <= 0;
  }
}
