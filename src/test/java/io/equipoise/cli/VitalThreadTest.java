package io.equipoise.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VitalThreadTest {
  /** The process of the test: its main thread would live on. */
  static final class Service {
    private Service() {}

    public static void main(String[] arguments) {
      VitalThread.of(
              () -> {
                throw new NoClassDefFoundError("a/Follower");
              },
              "follower")
          .start();
      while (true) {
        LockSupport.park();
      }
    }
  }

  @Test
  void theDeathOfAThreadEndsItsProcessWithALine() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Service.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(70, process.waitFor(), said);
    assertTrue(said.contains("Thread follower failed, so the process ends"), said);
    assertTrue(said.contains("a/Follower"), said);
  }
}
