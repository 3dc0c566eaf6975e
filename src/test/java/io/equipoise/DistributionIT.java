package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.cli.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks at what {@code mvn package} made, as somebody would who has only that. */
class DistributionIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path DISTRIBUTION = TARGET.resolve("equipoise");
  private static final long PATIENCE_SECONDS = 60;

  /** A file of the build's context that a Dockerfile copies. */
  private static final Pattern COPIED = Pattern.compile("(?m)^COPY (\\S+) ");

  /** A path of the distribution in the text of a page; {@code bin} is also a directory of Flink. */
  private static final Pattern PATH =
      Pattern.compile(
          "(?<![\\w./-])(?:(?:avro|clients|conf|deploy|docs|job|sql)/|bin/equipoise)[\\w./-]*");

  /** Pages for people who run the distribution beside other programs. */
  private static final List<String> PAGES =
      List.of("integrations", "kubernetes", "flink-cluster", "lake", "backup");

  /** The file of a link to another file. */
  private static final Pattern LINK = Pattern.compile("\\]\\((?![a-z]+:)([^)#\\s]+)[^)]*\\)");

  @Test
  void theCommandRunsFromAnotherDirectoryAfterBeingCopied(@TempDir Path directory)
      throws Exception {
    var copy = directory.resolve("a copy, with blanks");
    copy(DISTRIBUTION, copy);
    var ran = run(directory, Map.of(), copy.resolve("bin/equipoise").toString(), "--version");
    assertEquals(new Ran(0, "equipoise " + Version.current(), ""), ran);
  }

  @Test
  void theCommandRunsThroughRelativeAndAbsoluteLinks(@TempDir Path directory) throws Exception {
    var copy = directory.resolve("copy");
    copy(DISTRIBUTION, copy);
    Files.createSymbolicLink(directory.resolve("relative"), Path.of("copy/bin/equipoise"));
    Files.createSymbolicLink(directory.resolve("absolute"), directory.resolve("relative"));
    var ran = run(TARGET, Map.of(), directory.resolve("absolute").toString(), "--version");
    assertEquals(new Ran(0, "equipoise " + Version.current(), ""), ran);
  }

  @Test
  void theCommandTakesTheJavaAndTheOptionsItIsTold() throws Exception {
    var command = DISTRIBUTION.resolve("bin/equipoise").toString();
    var javaless = run(TARGET, Map.of("JAVA_HOME", "/no/java/here"), command, "--version");
    assertEquals(1, javaless.exitCode());
    assertEquals(
        "equipoise: no Java at /no/java/here/bin/java; set JAVA_HOME to a Java 17 or later",
        javaless.err());
    var options = Map.of("EQUIPOISE_JAVA_OPTS", "-Xmx64m -XshowSettings:vm");
    assertTrue(run(TARGET, options, command, "--version").err().contains("Max. Heap Size: 64.00M"));
  }

  /**
   * A blank splits options, a star in one is no pattern of files; a class path is split at colons.
   */
  @Test
  void optionsAreNotExpandedAndAColonInThePathIsExplained() throws Exception {
    var command = DISTRIBUTION.resolve("bin/equipoise").toString();
    var options = Map.of("EQUIPOISE_JAVA_OPTS", "-Dpattern=* -XshowSettings:properties");
    assertTrue(run(TARGET, options, command, "--version").err().contains("pattern = *"));
    var ran = run(TARGET, Map.of("EQUIPOISE_POLICIES", "/a:b"), command, "--version");
    assertEquals(1, ran.exitCode());
    assertTrue(ran.err().startsWith("equipoise: a class path cannot contain ':'"), ran.err());
  }

  @Test
  void theDocumentationIsFound() throws Exception {
    var ran = run(TARGET, Map.of(), DISTRIBUTION.resolve("bin/equipoise").toString(), "docs");
    assertEquals(0, ran.exitCode(), ran.err());
    assertTrue(Files.isRegularFile(Path.of(ran.out().strip())), ran.out());
  }

  @Test
  void everyLinkOfThePackagedPagesLeadsIntoThePackage() throws Exception {
    List<String> broken = new ArrayList<>();
    int links = 0;
    try (var files = Files.walk(DISTRIBUTION)) {
      for (var page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        var prose = Files.readString(page).replaceAll("(?s)```.*?```", "");
        for (var link = LINK.matcher(prose); link.find(); links++) {
          var target = page.resolveSibling(link.group(1)).normalize();
          if (!target.startsWith(DISTRIBUTION) || !Files.exists(target)) {
            broken.add(DISTRIBUTION.relativize(page) + ": " + link.group(1));
          }
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(links > 300, links + " links");
  }

  @Test
  void theImageAndTheComposeFileNeedOnlyFilesOfThePackage() throws Exception {
    assertTrue(Files.isRegularFile(DISTRIBUTION.resolve("docker-compose.yml")));
    List<String> named = new ArrayList<>(ComposeFile.read().files());
    var image = Files.readString(DISTRIBUTION.resolve("deploy/kubernetes/Dockerfile"));
    COPIED.matcher(image).results().forEach(copy -> named.add(copy.group(1)));
    assertEquals(List.of(), missing(named));
    assertTrue(named.size() > 8, named::toString);
  }

  @Test
  void everyPathThatAPageNamesIsInThePackage() throws Exception {
    List<String> named = new ArrayList<>();
    for (var page : PAGES) {
      PATH.matcher(Files.readString(DISTRIBUTION.resolve("docs/" + page + ".md")))
          .results()
          .forEach(path -> named.add(path.group().replaceFirst("\\.$", "")));
    }
    assertEquals(List.of(), missing(named));
    assertTrue(named.size() > 20, named::toString);
  }

  private static List<String> missing(List<String> paths) {
    return paths.stream().filter(path -> !Files.exists(DISTRIBUTION.resolve(path))).toList();
  }

  @Test
  void aMistakeIsExitCodeTwo() throws Exception {
    var ran = run(TARGET, Map.of(), DISTRIBUTION.resolve("bin/equipoise").toString(), "dance");
    assertEquals(2, ran.exitCode());
    assertEquals(1, ran.err().lines().count(), ran.err());
  }

  @Test
  void aProgressBarIsForTerminalsAndNotForFiles() throws Exception {
    var command = DISTRIBUTION.resolve("bin/equipoise").toString();
    var spec = DISTRIBUTION.resolve("conf/specs/email-screen.yaml").toString();
    String[] simulate = {command, "simulate", "--seeds", "1", "--decisions", "200", spec};
    var intoFile = run(TARGET, Map.of(), simulate);
    assertEquals(new Ran(0, intoFile.out(), ""), intoFile);
    var terminal = Map.of("EQUIPOISE_JAVA_OPTS", "-Dequipoise.terminal=true");
    assertTrue(run(TARGET, terminal, simulate).err().contains("simulate"));
  }

  @Test
  void theDistributionHasWhatTheLocalVerbsNeedAndNoTestLibrary() throws Exception {
    for (var file : List.of("conf/config.yaml", "conf/equipoise.yaml", "conf/log4j.properties")) {
      assertTrue(Files.isRegularFile(DISTRIBUTION.resolve(file)), file);
    }
    var library = names(DISTRIBUTION.resolve("lib"));
    for (var wanted :
        List.of("equipoise.jar", "kafka_2.13-", "flink-runtime-", "flink-clients-", "zstd-jni-")) {
      assertTrue(library.stream().anyMatch(name -> name.startsWith(wanted)), wanted);
    }
    var unwanted = List.of("junit", "archunit", "-tests.jar", "test-utils", "assertj", "hamcrest");
    assertEquals(
        List.of(),
        library.stream().filter(name -> unwanted.stream().anyMatch(name::contains)).toList());
  }

  @Test
  void theJobJarHasNoFlinkNoBrokerNoLoggingAndNothingLocal() throws Exception {
    var entries = entries(TARGET.resolve("equipoise-job.jar"));
    var connector = entries(library("flink-connector-kafka-"));
    var flink = entries.stream().filter(name -> name.startsWith("org/apache/flink/")).toList();
    assertEquals(List.of(), flink.stream().filter(name -> !connector.contains(name)).toList());
    for (var prefix :
        List.of(
            "kafka/",
            "scala/",
            "org/apache/kafka/metadata/",
            "org/apache/kafka/storage/",
            "org/apache/kafka/controller/",
            "org/apache/logging/",
            "org/slf4j/",
            "org/rocksdb/",
            "io/equipoise/tools/",
            "io/equipoise/lab/")) {
      assertEquals(
          List.of(),
          entries.stream()
              .filter(name -> name.startsWith(prefix) && name.endsWith(".class"))
              .toList());
    }
  }

  @Test
  void theJobJarHasTheConnectorTheClientsAndTheirCodecs() throws Exception {
    var jar = TARGET.resolve("equipoise-job.jar");
    var entries = entries(jar);
    for (var wanted :
        List.of(
            "io/equipoise/job/options/JobConfig.class",
            "org/apache/flink/connector/kafka/sink/KafkaSink.class",
            "org/apache/kafka/clients/producer/KafkaProducer.class",
            "org/apache/avro/Schema.class",
            "com/github/luben/zstd/Zstd.class",
            "net/jpountz/lz4/LZ4Factory.class",
            "org/xerial/snappy/Snappy.class")) {
      assertTrue(entries.contains(wanted), wanted);
    }
    assertEquals(
        List.of(),
        entries.stream().filter(name -> name.matches("META-INF/.*\\.(SF|RSA)")).toList());
    try (var file = new JarFile(jar.toFile())) {
      var manifest = file.getManifest().getMainAttributes();
      assertEquals("io.equipoise.job.EquipoiseJob", manifest.getValue("Main-Class"));
    }
  }

  private record Ran(int exitCode, String out, String err) {}

  private static Ran run(Path directory, Map<String, String> environment, String... command)
      throws Exception {
    var out = Files.createTempFile("equipoise-", ".out");
    var err = Files.createTempFile("equipoise-", ".err");
    try {
      var builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().remove("EQUIPOISE_JAVA_OPTS");
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().putAll(environment);
      var process = builder.start();
      try {
        assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "does not end");
        return new Ran(
            process.exitValue(), Files.readString(out).strip(), Files.readString(err).strip());
      } finally {
        process.destroyForcibly();
      }
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static Path library(String prefix) throws IOException {
    try (var files = Files.list(DISTRIBUTION.resolve("lib"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  private static List<String> entries(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      return file.stream().map(ZipEntry::getName).filter(name -> !name.endsWith("/")).toList();
    }
  }

  private static List<String> names(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : files.toList()) {
        Files.copy(
            file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Flink's SQL client has no other jar of ours. */
  @Test
  void theFormatOfFlinkSqlHasAllOurClassesThatItNeeds() {
    var out = new StringWriter();
    ToolProvider.findFirst("jdeps")
        .orElseThrow()
        .run(
            new PrintWriter(out, true),
            new PrintWriter(out, true),
            "--missing-deps",
            DISTRIBUTION.resolve("sql/equipoise-sql.jar").toString());
    assertTrue(out.toString().contains("org.apache.flink"), out::toString);
    assertEquals(
        List.of(), out.toString().lines().filter(it -> it.contains("-> io.equipoise")).toList());
  }
}
