package io.equipoise.tools.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the distribution of this command: its libraries, settings and job jar.
 *
 * @param home absolute
 */
public record Distribution(Path home) {
  /** A process without memory must not live on with some of its threads. */
  static final String EXIT_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";

  /** For processes with little work after their start. */
  static final String QUICK_START = "-XX:TieredStopAtLevel=1";

  /**
   * For a broker, as for task managers in {@code flink-conf}: the optimizing compiler begins three
   * times later, so that a recovery into a fresh process takes less time.
   */
  static final List<String> LATE_OPTIMIZATION =
      List.of(
          "-XX:Tier4InvocationThreshold=15000",
          "-XX:Tier4MinInvocationThreshold=1800",
          "-XX:Tier4CompileThreshold=45000",
          "-XX:Tier4BackEdgeThreshold=120000");

  private static final String HOME = "equipoise.home";

  /** The property that names the directory with the jars of policy families. */
  private static final String POLICIES = "equipoise.policies";

  /** Libraries that a Flink cluster loads only from the job jar. */
  private static final List<String> IN_THE_JOB_JAR =
      List.of("equipoise", "flink-connector-kafka", "kafka", "avro", "picocli");

  public Distribution {
    home = home.toAbsolutePath().normalize();
  }

  /** Finds the distribution by the property that {@code bin/equipoise} sets. */
  public static Distribution ofThisProcess() {
    String home = System.getProperty(HOME);
    if (home == null) {
      throw new ClusterException(
          "this process was not started from a distribution; use its bin/equipoise, which"
              + " `mvn package` creates in target/equipoise");
    }
    Distribution distribution = new Distribution(Path.of(home));
    if (!Files.isRegularFile(distribution.jobJar())) {
      throw new ClusterException("the distribution has no job jar at " + distribution.jobJar());
    }
    return distribution;
  }

  Path conf() {
    return home.resolve("conf");
  }

  public Path conf(String name) {
    return conf().resolve(name);
  }

  public Path jobJar() {
    return home.resolve("job/equipoise-job.jar");
  }

  /**
   * Returns the jars of policy families, by name: those of the directory that {@code bin/equipoise}
   * names, else of {@code policies} in the distribution.
   */
  List<Path> policyJars() {
    Path policies = Path.of(System.getProperty(POLICIES, home.resolve("policies").toString()));
    if (!Files.isDirectory(policies)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(policies)) {
      return files.filter(file -> nameOf(file).endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + policies, e);
    }
  }

  /** Returns all libraries, for brokers and ZooKeeper. */
  String classPath() {
    return home.resolve("lib") + File.separator + "*";
  }

  /** Returns all libraries and the jars of policy families, for services that read specs. */
  String classPathWithPolicies() {
    return Stream.concat(Stream.of(classPath()), policyJars().stream().map(Path::toString))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns Flink's libraries without classes of the job jar. */
  String flinkClassPath() {
    try (Stream<Path> library = Files.list(home.resolve("lib"))) {
      return library
          .filter(jar -> IN_THE_JOB_JAR.stream().noneMatch(nameOf(jar)::startsWith))
          .map(Path::toString)
          .sorted()
          .collect(Collectors.joining(File.pathSeparator));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + home.resolve("lib"), e);
    }
  }

  private static String nameOf(Path jar) {
    return String.valueOf(jar.getFileName());
  }
}
