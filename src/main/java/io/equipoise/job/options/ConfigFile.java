package io.equipoise.job.options;

import io.equipoise.event.TextFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.YamlParserUtils;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads a YAML file of settings like Flink's own {@code config.yaml}: nested names are joined by
 * dots. Unlike there, values are texts as written ({@code 010} is not 10, {@code 1.10} is not 1.1),
 * and a name that occurs twice is an error, also when it is nested once and joined once.
 */
public final class ConfigFile {
  /**
   * An alias or a tag may be part of a secret value, such as a password that begins with a sign.
   */
  private static final Pattern VALUE = Pattern.compile("(tag handle|alias|tag) \\S+");

  private static final String STANDARD_TAG = "tag:yaml.org,2002:";
  private static final LoadSettings SETTINGS =
      LoadSettings.builder().setUseMarks(true).setAllowDuplicateKeys(true).build();

  private final Path file;
  private final Function<String, @Nullable String> sectionFault;
  private final Configuration configuration = new Configuration();

  private ConfigFile(Path file, Function<String, @Nullable String> sectionFault) {
    this.file = file;
    this.sectionFault = sectionFault;
  }

  /**
   * Returns the settings; values are not validated.
   *
   * @throws UncheckedIOException if the file cannot be read, with the line of a YAML error or of an
   *     unknown section; the message contains no values, as they may be secrets
   */
  public static Configuration read(Path file) {
    return read(file, OptionReader::sectionFault);
  }

  /**
   * Returns the settings.
   *
   * @param sectionFault returns the error of a first word of names, or null
   */
  static Configuration read(Path file, Function<String, @Nullable String> sectionFault) {
    ConfigFile reader = new ConfigFile(file, sectionFault);
    try {
      Optional<Node> root = new Compose(SETTINGS).composeString(TextFile.read(file));
      if (root.isPresent()) {
        reader.add("", root.get());
      }
    } catch (MarkedYamlEngineException e) {
      String problem = VALUE.matcher(String.valueOf(e.getProblem())).replaceAll("$1");
      throw reader.fault(e.getProblemMark().or(e::getContextMark), problem);
    } catch (YamlEngineException e) {
      throw reader.fault(Optional.empty(), "is no YAML; write lines of NAME: VALUE");
    } catch (StackOverflowError e) {
      throw reader.fault(Optional.empty(), "is nested too deeply; write lines of NAME: VALUE");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reader.configuration;
  }

  private UncheckedIOException fault(Optional<Mark> mark, String problem) {
    String place = mark.map(it -> ", line " + (it.getLine() + 1)).orElse("");
    return new UncheckedIOException(new FileSystemException(file + place, null, problem));
  }

  private void add(String name, Node node) {
    checkIsPlain(node);
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        if (!(entry.getKeyNode() instanceof ScalarNode key)) {
          throw fault(entry.getKeyNode().getStartMark(), "a name is one text");
        }
        checkIsPlain(key);
        String fault = name.isEmpty() ? sectionFault.apply(key.getValue()) : null;
        if (fault != null) {
          throw fault(key.getStartMark(), fault);
        }
        add(name.isEmpty() ? key.getValue() : name + "." + key.getValue(), entry.getValueNode());
      }
      return;
    }
    if (name.isEmpty()) {
      throw fault(Optional.empty(), "is not a mapping of names to values; write NAME: VALUE");
    }
    Object read = plain(node);
    String value = read instanceof List<?> ? YamlParserUtils.toYAMLString(read) : (String) read;
    if (value != null) {
      if (configuration.containsKey(name)) {
        throw fault(node.getStartMark(), name + " is set a second time; remove one");
      }
      configuration.setString(name, value);
    }
  }

  private void checkIsPlain(Node node) {
    if (node.getAnchor().isPresent() || !node.getTag().getValue().startsWith(STANDARD_TAG)) {
      throw fault(node.getStartMark(), "an anchor or a tag; write the value, in quotes if need be");
    }
  }

  /** Returns the text as written, null for no value, or a list or a map of such. */
  private @Nullable Object plain(Node node) {
    if (node instanceof SequenceNode sequence) {
      List<Object> items = new ArrayList<>();
      for (Node item : sequence.getValue()) {
        checkIsPlain(item);
        items.add(plain(item));
      }
      return items;
    }
    if (!(node instanceof ScalarNode scalar)) {
      throw fault(node.getStartMark(), "a list contains texts only");
    }
    boolean isPlain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
    String text = scalar.getValue();
    return isPlain && (text.isEmpty() || text.equals("~") || text.equals("null")) ? null : text;
  }
}
