package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterLayout;
import io.equipoise.tools.cluster.ClusterProcess;
import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the clock of one process wrong with libfaketime: that of a broker, a task manager, a job
 * manager and a gateway in turn. The monotonic clock stays right, as on a real machine.
 *
 * <p>The process is killed and started again with a wrong clock, and so corrected; or its clock
 * jumps while it runs.
 */
final class ClockFault implements Fault {
  private static final List<ProcessKind> IN_TURN =
      List.of(
          ProcessKind.KAFKA, ProcessKind.TASKMANAGER, ProcessKind.JOBMANAGER, ProcessKind.GATEWAY);

  /** How long a clock stays wrong. */
  private static final Duration WHILE = Duration.ofSeconds(30);

  private static final String LIBRARY = "libfaketimeMT.so.1";
  private static final int LIBRARY_DEPTH = 3;

  private final String name;
  private final boolean jumps;
  private final List<Duration> errors;
  private int turn;

  /**
   * Creates a fault.
   *
   * @param jumps whether the clock changes while the process runs
   * @param errors of the clock, one after the other
   */
  ClockFault(String name, boolean jumps, Duration... errors) {
    this.name = name;
    this.jumps = jumps;
    this.errors = List.of(errors);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean worksOnHosts() {
    return true;
  }

  @Override
  public void prepare(ClusterLayout clusterLayout) {
    Path unused = installed(); // refused before a process starts
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    ProcessKind kind = IN_TURN.get(turn++ % IN_TURN.size());
    ClusterProcess victim =
        kind == ProcessKind.TASKMANAGER ? context.workingTaskManager() : context.member(kind);
    context.progress().accept(name + ": " + victim.name());
    Path clock = context.cluster().layout().directory().resolve("clock-" + victim.name());
    set(clock, jumps ? Duration.ZERO : errors.get(0));
    context.cluster().prefix(victim, words(clock));
    long killed = System.nanoTime();
    restart(context, victim);
    long running = System.nanoTime();
    for (Duration error : errors) {
      set(clock, error);
      Thread.sleep(WHILE.toMillis());
    }
    if (jumps) {
      return FaultEffect.at(running);
    }
    set(clock, Duration.ZERO);
    restart(context, victim);
    return FaultEffect.at(killed);
  }

  /** Restarts a process, and lets the job move to it if that is a task manager. */
  private static void restart(ChaosContext context, ClusterProcess victim) {
    context.cluster().kill(victim);
    context.awaitCheckpoint();
    if (victim.kind() == ProcessKind.TASKMANAGER) {
      ClusterProcess working = context.workingTaskManager();
      if (!working.equals(victim)) {
        context.cluster().kill(working);
        context.awaitCheckpoint();
      }
    }
  }

  private static void set(Path clock, Duration error) {
    try {
      Files.writeString(clock, "%+d".formatted(error.toSeconds()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + clock, e);
    }
  }

  /**
   * Returns the words before a command that read its clock's error from a file. The monotonic clock
   * must stay right, or the timers of a JVM hang. The fix for old versions of glibc must be off, or
   * timed waits return at once and the JVM keeps all cores busy.
   */
  private static List<String> words(Path clock) {
    return List.of(
        "env",
        "LD_PRELOAD=" + installed(),
        "FAKETIME_TIMESTAMP_FILE=" + clock,
        "FAKETIME_CACHE_DURATION=1",
        "FAKETIME_DONT_FAKE_MONOTONIC=1",
        "FAKETIME_FORCE_MONOTONIC_FIX=0",
        "NO_FAKE_STAT=1");
  }

  private static Path installed() {
    return library()
        .orElseThrow(
            () ->
                new ClusterException(
                    "faults of clocks require %s in /usr/lib; install Debian's package faketime"
                        .formatted(LIBRARY)));
  }

  /** Finds libfaketime, if it is installed. */
  static Optional<Path> library() {
    try (Stream<Path> found =
        Files.find(Path.of("/usr/lib"), LIBRARY_DEPTH, (file, at) -> file.endsWith(LIBRARY))) {
      return found.findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot search /usr/lib for " + LIBRARY, e);
    }
  }
}
