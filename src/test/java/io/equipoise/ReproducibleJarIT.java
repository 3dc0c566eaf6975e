package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two builds of the same sources, in other places, time zones and locales: the same bytes. */
class ReproducibleJarIT {
  private static final List<String> JARS = List.of("equipoise.jar", "equipoise-job.jar");
  private static final Set<String> NOT_SOURCES = Set.of("target", ".git");

  @TempDir Path directory;

  @Test
  void aBuildGivesTheSameBytesAnywhere() throws Exception {
    assumeTrue(Tier.isFull(), "builds twice: mvn verify -Pfull");
    Path one = built("one", Map.of("LC_ALL", "C", "TZ", "UTC"));
    Path other = built("other", Map.of("LC_ALL", "C.UTF-8", "TZ", "Asia/Tokyo"));
    for (String jar : JARS) {
      long difference = Files.mismatch(one.resolve(jar), other.resolve(jar));
      assertEquals(-1, difference, jar + ": the first byte that differs");
    }
  }

  /** Builds offline a copy of the sources and returns where the jars are. */
  private Path built(String name, Map<String, String> environment) throws Exception {
    Path copy = directory.resolve(name);
    copy(Path.of("").toAbsolutePath(), copy);
    Path log = directory.resolve(name + ".log");
    ProcessBuilder maven =
        new ProcessBuilder("mvn", "-o", "-B", "-q", "package", "-DskipTests")
            .directory(copy.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    maven.environment().putAll(environment);
    Process build = maven.start();
    try {
      assertTrue(build.waitFor(20, TimeUnit.MINUTES), "the build did not end in time");
      assertEquals(0, build.exitValue(), () -> text(log));
    } finally {
      build.destroyForcibly();
    }
    return copy.resolve("target");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path relative = from.relativize(file);
        if (!NOT_SOURCES.contains(relative.getName(0).toString())) {
          Path target = to.resolve(relative.toString());
          if (Files.isDirectory(file)) {
            Files.createDirectories(target);
          } else {
            Files.copy(file, target);
          }
        }
      }
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "no output of the build: " + e.getMessage();
    }
  }
}
