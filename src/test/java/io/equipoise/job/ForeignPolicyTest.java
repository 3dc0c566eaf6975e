package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.PolicyFamily;
import io.equipoise.sample.SoftmaxFamily;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A family in a jar of its own in {@code policies/} runs, is restored and is verified. */
class ForeignPolicyTest {
  private static final long PATIENCE_SECONDS = 240;

  @TempDir private Path directory;

  @Test
  void aFamilyInAJarOfPoliciesDecidesSurvivesASavepointAndIsReplayed() throws Exception {
    Path policies = Files.createDirectory(directory.resolve("policies"));
    jar(policies.resolve("softmax.jar"));
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

  private static void jar(Path jar) throws Exception {
    Path own = Path.of(SoftmaxFamily.class.getResource("SoftmaxFamily.class").toURI()).getParent();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.list(own)) {
      for (Path file : files.toList()) {
        if (!String.valueOf(file.getFileName()).endsWith("Test.class")) {
          out.putNextEntry(new ZipEntry("io/equipoise/sample/" + file.getFileName()));
          Files.copy(file, out);
        }
      }
      entry(
          out,
          "META-INF/services/" + PolicyFamily.class.getName(),
          SoftmaxFamily.class.getName() + "\n");
    }
  }

  private static void entry(JarOutputStream out, String name, String text) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
