package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobProcessTest {
  @Test
  void aProcessThatEndsBeforeTheJobReportsItsMessages() {
    List<String> arguments = List.of("bench", "job", "--deployment", "bench-1");
    IllegalStateException failure =
        assertThrows(IllegalStateException.class, () -> JobProcess.start(arguments));
    assertTrue(failure.getMessage().contains("exit code 2: "), failure::getMessage);
    assertTrue(failure.getMessage().contains("--brokers"), failure::getMessage);
  }
}
