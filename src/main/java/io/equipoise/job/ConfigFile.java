package io.equipoise.job;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.YamlParserUtils;

/**
 * Reads a YAML file of settings, by the rules of Flink's own {@code config.yaml}: nested names are
 * joined by dots.
 */
public final class ConfigFile {
  private ConfigFile() {}

  /** Returns what the file says; the values are not checked. */
  public static Configuration read(Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException("no file of settings to read at " + file);
    }
    var configuration = new Configuration();
    try {
      flatten("", YamlParserUtils.loadYamlFile(file.toFile()), configuration);
    } catch (Exception e) { // the parser declares no narrower one
      throw new IllegalArgumentException("cannot read the settings in " + file, e);
    }
    return configuration;
  }

  private static void flatten(String prefix, Map<?, ?> settings, Configuration to) {
    settings.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> nested) {
            flatten(prefix + name + ".", nested, to);
          } else if (value instanceof Iterable<?>) {
            to.setString(prefix + name, YamlParserUtils.toYAMLString(value));
          } else if (value != null) {
            to.setString(prefix + name, value.toString());
          }
        });
  }
}
