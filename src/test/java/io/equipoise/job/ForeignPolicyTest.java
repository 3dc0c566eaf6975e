package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.sample.SampleJar;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A family in a jar of its own in {@code policies/} runs, is restored and is verified. {@code
 * ClusterIT} does the same as packaged, with fewer decisions.
 */
@Tag("full")
class ForeignPolicyTest {
  private static final long PATIENCE_SECONDS = 240;

  @TempDir private Path directory;

  @Test
  void aFamilyInAJarOfPoliciesDecidesSurvivesASavepointAndIsReplayed() throws Exception {
    Path policies = Files.createDirectory(directory.resolve("policies"));
    SampleJar.write(policies.resolve("softmax.jar"));
    // As the launcher has it: libraries, then what is in policies/.
    String classPath =
        System.getProperty("java.class.path")
            + File.pathSeparator
            + policies
            + File.separator
            + "*";
    Path out = directory.resolve("out");
    Process run =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                "io.equipoise.job.ForeignPolicyRun",
                directory.resolve("savepoints").toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertTrue(run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> read(out));
    } finally {
      run.destroyForcibly();
    }
    assertEquals(0, run.exitValue(), () -> read(out));
    List<String> lines = read(out).lines().toList();
    assertTrue(lines.contains("sampled 120"), () -> read(out));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
