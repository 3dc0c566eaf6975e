package io.equipoise.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorded process is found again, and no other process is taken for it. */
class StartedTest {
  @TempDir private Path directory;
  private Process process;
  private Started started;

  /** A process that does nothing for ten minutes. */
  static final class Sleeper {
    private Sleeper() {}

    public static void main(String[] arguments) throws InterruptedException {
      System.out.println();
      Thread.sleep(600_000);
    }
  }

  @BeforeEach
  void start() throws Exception {
    Path file = directory.resolve("sleeper.args");
    Path classes =
        Path.of(Sleeper.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Files.write(
        file, List.of("-Xmx64m", "-cp", '"' + classes.toString() + '"', Sleeper.class.getName()));
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "@" + file)
            .redirectErrorStream(true)
            .start();
    process.getInputStream().read(); // it runs
    long start = process.info().startInstant().map(Instant::toEpochMilli).orElseThrow();
    started = new Started("sleeper", process.pid(), start, "@" + file);
  }

  @AfterEach
  void end() throws Exception {
    process.destroyForcibly().waitFor();
  }

  @Test
  void aProcessThatLivesIsFound() {
    assertEquals(Optional.of(process.toHandle()), started.handle());
  }

  @Test
  void aProcessThatWasKilledIsNotFound() throws Exception {
    process.destroyForcibly().waitFor();
    assertEquals(Optional.empty(), started.handle());
  }

  @Test
  void anotherProcessOfTheSamePidIsToldByItsStart() {
    Started earlier =
        new Started(
            "sleeper", process.pid(), started.startMillis() - 3_600_000, started.arguments());
    assertEquals(Optional.empty(), earlier.handle());
    assertEquals(Optional.of(process.toHandle()), earlier.orphan());
  }

  @Test
  void anotherProcessOfTheSamePidAndStartIsToldByItsCommandLine() {
    Started other = new Started("sleeper", process.pid(), started.startMillis(), "@/other.args");
    assertEquals(Optional.empty(), other.handle());
    assertEquals(Optional.empty(), other.orphan());
    assertTrue(process.isAlive());
  }
}
