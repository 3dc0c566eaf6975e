package io.equipoise.job.options;

import io.equipoise.event.TextFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.YamlParserUtils;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads a YAML file of settings like Flink's own {@code config.yaml}: nested names are joined by
 * dots.
 */
public final class ConfigFile {
  /**
   * An alias or a tag may be part of a secret value, such as a password that begins with a sign.
   */
  private static final Pattern VALUE = Pattern.compile("(tag handle|alias|tag) \\S+");

  private ConfigFile() {}

  /**
   * Returns the settings; values are not validated.
   *
   * @throws IllegalArgumentException if the file cannot be read, with the line of a YAML error; the
   *     message contains no values, as they may be secrets
   */
  public static Configuration read(Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException("no settings file at " + file);
    }
    var configuration = new Configuration();
    try {
      flatten("", YamlParserUtils.loadYamlFile(TextFile.regular(file).toFile()), configuration);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(
          "cannot read the settings in " + file + ": " + problem(String.valueOf(e.getMessage())));
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException("the settings in " + file + " are nested too deeply", e);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "the settings in " + file + " are not a mapping of names to values", e);
    } catch (FileSystemException e) {
      throw new IllegalArgumentException("cannot read the settings in " + e.getMessage(), e);
    } catch (Exception e) { // the parser declares no subclass
      throw new IllegalArgumentException("cannot read the settings in " + file, e);
    }
    return configuration;
  }

  private static String problem(String message) {
    return VALUE
        .matcher(message)
        .replaceAll("$1")
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.strip().replace("in reader, ", ""))
        .collect(Collectors.joining(", "));
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
