package io.equipoise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads {@code docker-compose.yml} as data, with anchors and merges resolved. */
final class ComposeFile {
  static final String FLINK_MOUNT = "/opt/equipoise/";
  private static final String KAFKA_PREFIX = "KAFKA_";

  /** What the image passes to the JVM; not a setting of the broker. */
  private static final String KAFKA_JVM_OPTIONS = "KAFKA_OPTS";

  private final Map<?, ?> services;
  private final Map<?, ?> volumes;

  private ComposeFile(Map<?, ?> root) {
    services = (Map<?, ?>) root.get("services");
    volumes = (Map<?, ?>) root.get("volumes");
  }

  static ComposeFile read() throws IOException {
    Object root =
        new Load(LoadSettings.builder().build())
            .loadFromString(Files.readString(Path.of("docker-compose.yml")));
    return new ComposeFile((Map<?, ?>) root);
  }

  List<String> names() {
    return services.keySet().stream().map(Object::toString).sorted().toList();
  }

  /** Returns the names of the volumes that outlive the containers. */
  Set<String> volumes() {
    return volumes.keySet().stream().map(Object::toString).collect(Collectors.toSet());
  }

  /** Returns a setting of a service, of its own or by its merge key, null where it has none. */
  Object setting(String service, String name) {
    Map<?, ?> settings = (Map<?, ?>) services.get(service);
    Object own = settings.get(name);
    Object merged = settings.get("<<");
    return own != null || merged == null ? own : ((Map<?, ?>) merged).get(name);
  }

  List<String> strings(String service, String name) {
    Object setting = setting(service, name);
    return setting == null
        ? List.of()
        : ((List<?>) setting).stream().map(String.class::cast).toList();
  }

  /** Returns a service's environment. */
  Map<String, String> environment(String service) {
    Map<String, String> environment = new TreeMap<>();
    ((Map<?, ?>) setting(service, "environment"))
        .forEach((name, value) -> environment.put((String) name, (String) value));
    return environment;
  }

  /** Returns what the Kafka image makes of its environment: KAFKA_NODE_ID is node.id. */
  Map<String, String> brokerProperties() {
    Map<String, String> properties = new TreeMap<>();
    environment("kafka")
        .forEach(
            (name, value) -> {
              if (name.startsWith(KAFKA_PREFIX) && !name.equals(KAFKA_JVM_OPTIONS)) {
                properties.put(
                    name.substring(KAFKA_PREFIX.length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '.'),
                    value);
              }
            });
    return properties;
  }

  /** Returns the Flink options ({@code -D KEY=VALUE}) that a service is started with. */
  Map<String, String> flinkOptions(String service) {
    Map<String, String> options = new TreeMap<>();
    List<String> words = strings(service, "entrypoint");
    for (int i = 0; i + 1 < words.size(); i++) {
      if (words.get(i).equals("-D")) {
        String[] option = words.get(i + 1).split("=", 2);
        options.put(option[0], option[1]);
      }
    }
    return options;
  }

  /** Returns the words of the submit command before the jar. */
  List<String> runArguments() {
    List<String> words = strings("submit", "entrypoint");
    return words.subList(1, jar(words));
  }

  /** Returns the arguments that the job's main class gets. */
  List<String> jobArguments() {
    List<String> words = strings("submit", "entrypoint");
    return words.subList(jar(words) + 1, words.size());
  }

  private static int jar(List<String> words) {
    return words.indexOf(FLINK_MOUNT + "equipoise-job.jar");
  }

  /** Returns the paths that services mount, relative to the distribution's root. */
  Set<String> files() {
    return names().stream()
        .flatMap(service -> strings(service, "volumes").stream())
        .map(volume -> volume.split(":", -1)[0])
        .filter(path -> path.startsWith("."))
        .collect(Collectors.toSet());
  }

  /**
   * Returns the place in the repository of a file of the distribution, whose conf is flink-conf.
   */
  static Path inRepository(String path) {
    return Path.of(path.replaceFirst("^\\./conf/", "flink-conf/")).normalize();
  }

  /** Returns the place in the repository of a path below the mounted directory. */
  Path mounted(String path) {
    for (String volume : strings("submit", "volumes")) {
      String[] parts = volume.split(":", -1);
      if (parts[1].equals(path)) {
        return inRepository(parts[0]);
      }
    }
    throw new AssertionError(path + " is not mounted");
  }
}
