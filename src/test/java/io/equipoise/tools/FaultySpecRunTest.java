package io.equipoise.tools;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.job.TestCluster;
import io.equipoise.segmentspec.SpecException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("looks at all threads of the JVM")
class FaultySpecRunTest {
  @Test
  void aRunWithAFaultySpecLeavesNoCluster(@TempDir Path faulty, @TempDir Path state)
      throws Exception {
    Files.writeString(faulty.resolve("faulty.yaml"), "name: faulty");
    Configuration settings = LocalRunTest.settings(TestCluster.broker());
    settings.setString("equipoise.deployment", "faulty");
    settings.setString("equipoise.specs", faulty.toString());
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    assertThrows(SpecException.class, () -> LocalRun.start(settings, null, state).close());
    for (Thread start : since(before, "local-cluster-start")) {
      start.join();
    }
    for (Thread thread : since(before, "flink-")) {
      thread.join(10_000);
      assertFalse(thread.isAlive(), thread.getName());
    }
  }

  private static List<Thread> since(Set<Thread> before, String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread) && thread.getName().startsWith(prefix))
        .toList();
  }
}
