package io.equipoise.job.options;

import io.equipoise.event.TextFile;
import io.equipoise.segmentspec.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.YamlParserUtils;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.Event;
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
  private static final LoadSettings SETTINGS =
      LoadSettings.builder().setUseMarks(true).setAllowDuplicateKeys(true).build();

  private final Path file;
  private final Function<String, @Nullable String> sectionFault;
  private final Placed configuration = new Placed();

  /**
   * Remembers file and line of each setting of a file. A later setting of the same name has
   * neither.
   */
  static final class Placed extends Configuration {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, String> places = new HashMap<>();

    /** Returns file and line of a setting, with a colon; empty if it is of no file. */
    static String of(Configuration configuration, String name) {
      String place = configuration instanceof Placed placed ? placed.places.get(name) : null;
      return place == null ? "" : place + ": ";
    }

    @Override
    public void setString(String name, String value) {
      places.remove(name);
      super.setString(name, value);
    }

    @Override
    public void addAll(Configuration others) {
      others.keySet().forEach(places::remove);
      if (others instanceof Placed placed) {
        places.putAll(placed.places);
      }
      super.addAll(others);
    }
  }

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
    String text = "";
    try {
      text = TextFile.read(file);
      for (Event event : new Parse(SETTINGS).parseString(text)) {
        if (YamlText.isMarked(event)) {
          throw reader.fault(
              event.getStartMark(), "an anchor or a tag; write the value, in quotes if need be");
        }
      }
      Optional<Node> root = new Compose(SETTINGS).composeString(text);
      if (root.isPresent()) {
        reader.add("", root.get());
      }
    } catch (YamlEngineException e) {
      int line =
          e instanceof MarkedYamlEngineException marked
              ? marked.getProblemMark().or(marked::getContextMark).map(Mark::getLine).orElse(0) + 1
              : YamlText.lineOf(text, e);
      throw reader.fault(line, YamlText.words(e) + "; write lines of NAME: VALUE");
    } catch (StackOverflowError e) {
      throw reader.fault(Optional.empty(), "is nested too deeply; write lines of NAME: VALUE");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reader.configuration;
  }

  private UncheckedIOException fault(Optional<Mark> mark, String problem) {
    return fault(mark.map(it -> it.getLine() + 1).orElse(0), problem);
  }

  private UncheckedIOException fault(int line, String problem) {
    return new UncheckedIOException(new FileSystemException(place(line), null, problem));
  }

  private String place(int line) {
    return line == 0 ? file.toString() : file + ", line " + line;
  }

  private void add(String name, Node node) {
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        if (!(entry.getKeyNode() instanceof ScalarNode key)) {
          throw fault(entry.getKeyNode().getStartMark(), "a name is one text");
        }
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
    if (value == null && name.indexOf('.') < 0) {
      return; // a section without settings
    }
    if (value == null) {
      throw fault(node.getStartMark(), name + " has no value; write one, or remove the line");
    }
    if (configuration.containsKey(name)) {
      throw fault(node.getStartMark(), name + " is set a second time; remove one");
    }
    configuration.setString(name, value);
    configuration.places.put(name, place(node.getStartMark().map(Mark::getLine).orElse(0) + 1));
  }

  /** Returns the text as written, null for no value, or a list or a map of such. */
  private @Nullable Object plain(Node node) {
    if (node instanceof SequenceNode sequence) {
      List<Object> items = new ArrayList<>();
      for (Node item : sequence.getValue()) {
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
