package io.equipoise.tools.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A process that was started, as it is recorded.
 *
 * @param name the member's
 * @param startMillis when it started, as the operating system says, epoch milliseconds
 * @param arguments its only argument: the file that holds the others
 */
public record Started(String name, long pid, long startMillis, String arguments) {
  /** Systems count starts from their boot, whose time they may correct by a second. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /**
   * Returns the living process, if this one still lives. Another one that was given the same id is
   * told by its start and its command line; one that has ended but was not collected by its parent
   * has no command line.
   */
  public Optional<ProcessHandle> handle() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isThis);
  }

  private boolean isThis(ProcessHandle process) {
    ProcessHandle.Info info = process.info();
    boolean isSameStart =
        info.startInstant()
            .map(start -> isNear(start, Instant.ofEpochMilli(startMillis)))
            .orElse(false);
    return isSameStart
        && info.arguments().map(words -> Arrays.asList(words).contains(arguments)).orElse(false);
  }

  private static boolean isNear(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(TOLERANCE) <= 0;
  }
}
