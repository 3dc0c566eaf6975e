package io.equipoise.sample;

import io.equipoise.policy.PolicyFamily;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The sample family as a jar of its own. */
public final class SampleJar {
  private SampleJar() {}

  /** Writes the family's classes and its service file. */
  public static void write(Path jar) throws IOException, URISyntaxException {
    Path own = Path.of(SoftmaxFamily.class.getResource("SoftmaxFamily.class").toURI()).getParent();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.list(own)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (!name.endsWith("Test.class") && !name.equals("SampleJar.class")) {
          out.putNextEntry(new ZipEntry("io/equipoise/sample/" + name));
          Files.copy(file, out);
        }
      }
      out.putNextEntry(new ZipEntry("META-INF/services/" + PolicyFamily.class.getName()));
      out.write((SoftmaxFamily.class.getName() + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
