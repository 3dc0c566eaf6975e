package io.equipoise.segmentspec;

import io.equipoise.event.Utf8Text;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads untrusted YAML into nodes that know their lines.
 *
 * <p>The events are checked before any node is made, because making nodes recurses: a text nested
 * too deeply would exhaust the stack, and one of aliases the memory of its reader. Specs need no
 * anchors, tags or directives, so all are rejected. Keys may still repeat; {@link Section} rejects
 * that.
 */
public final class YamlText {
  static final int MAX_BYTES = 1 << 20;
  static final int MAX_DEPTH = 16;

  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setLabel("spec")
          .setUseMarks(true)
          .setAllowDuplicateKeys(true)
          .setCodePointLimit(MAX_BYTES)
          .build();

  private static final String SPEC = "a spec";

  /**
   * Explanations of the parser's problems for the owner of the text, by a part of the parser's
   * message.
   */
  private static final Map<String, String> PROBLEMS =
      Map.of(
          "(TAB)", "a tab; indent with blanks",
          "mapping values are not allowed", "a second colon, or another indentation",
          "expected <block end>", "another indentation than the lines above",
          "could not find expected ':'", "a line without a colon",
          "expected the node content", "a missing value or bracket",
          "expected ',' or", "a missing comma or bracket",
          "unexpected end of stream", "the end of the text in a quoted text",
          "special characters are not allowed", "a control character");

  private YamlText() {}

  /**
   * Returns the root of a text.
   *
   * @param what kind of text it is, such as "a world", for messages
   * @throws SpecException with the line, if it is not plain YAML
   */
  public static Node root(String text, String what) {
    SpecFaults faults = new SpecFaults(line -> line);
    Optional<Node> root = read(text, what, faults);
    faults.throwIfAny();
    return root.orElseThrow();
  }

  /** Returns the root, or adds a fault and returns nothing. */
  static Optional<Node> read(String text, SpecFaults specFaults) {
    return read(text, SPEC, specFaults);
  }

  private static Optional<Node> read(String text, String what, SpecFaults specFaults) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      specFaults.add("", 1, bytes + " bytes", what + " has at most " + MAX_BYTES + " bytes");
      return Optional.empty();
    }
    try {
      if (!isPlain(text, what, specFaults)) {
        return Optional.empty();
      }
      Optional<Node> root = new Compose(SETTINGS).composeString(text);
      if (root.isEmpty()) {
        String keys = what.equals(SPEC) ? ": name, version, segments, …" : "";
        specFaults.add("", 1, "an empty text", what + " is a mapping" + keys);
      }
      return root;
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
      specFaults.add("", specFaults.lineOf(mark), words(e), "the text must be YAML");
      return Optional.empty();
    } catch (YamlEngineException e) {
      specFaults.add("", lineOf(text, e), words(e), "the text must be YAML");
      return Optional.empty();
    }
  }

  /** Returns the line of an error without a mark: that of the first control character. */
  public static int lineOf(String text, YamlEngineException error) {
    int line = 1;
    for (int at = 0; at < text.length() && error instanceof ReaderException; at++) {
      if (!StreamReader.isPrintable(text.charAt(at)) && !Character.isSurrogate(text.charAt(at))) {
        break;
      }
      line += text.charAt(at) == '\n' ? 1 : 0;
    }
    return line;
  }

  /** Returns an explanation of a parser's error for the owner of the text, without any value. */
  public static String words(YamlEngineException error) {
    String problem =
        error instanceof MarkedYamlEngineException marked
            ? marked.getProblem()
            : String.valueOf(error.getMessage());
    return PROBLEMS.entrySet().stream()
        .filter(entry -> problem.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("a character or word that must be quoted, or a wrong indentation");
  }

  /**
   * Returns the scalar under a key of the root, empty if there is none. Reads the text only up to
   * there, and checks nothing.
   */
  static Optional<String> scalarOf(String text, String key) {
    int depth = 0;
    boolean isKey = true;
    boolean isWanted = false;
    try {
      for (Event event : new Parse(SETTINGS).parseString(text)) {
        if (event instanceof ScalarEvent scalar && depth == 1) {
          if (isWanted) {
            return Optional.of(scalar.getValue());
          }
          isWanted = isKey && scalar.getValue().equals(key);
          isKey = !isKey;
        } else if (event instanceof CollectionStartEvent) {
          depth++;
        } else if (event instanceof CollectionEndEvent && --depth == 1) {
          isKey = !isKey;
          isWanted = false;
        }
      }
    } catch (YamlEngineException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private static boolean isPlain(String text, String what, SpecFaults specFaults) {
    int depth = 0;
    int documents = 0;
    for (Event event : new Parse(SETTINGS).parseString(text)) {
      if (event instanceof CollectionStartEvent) {
        depth++;
      } else if (event instanceof CollectionEndEvent) {
        depth--;
      } else if (event instanceof DocumentStartEvent) {
        documents++;
      }
      String refused = refusal(event, depth, documents);
      if (!refused.isEmpty()) {
        specFaults.add(
            "",
            specFaults.lineOf(event.getStartMark()),
            refused,
            what + " is one plain YAML document");
        return false;
      }
    }
    return true;
  }

  private static String refusal(Event event, int depth, int documents) {
    if (depth > MAX_DEPTH) {
      return "nesting deeper than " + MAX_DEPTH;
    }
    if (documents > 1) {
      return "a second document";
    }
    if (event instanceof DocumentStartEvent start
        && (start.getSpecVersion().isPresent() || !start.getTags().isEmpty())) {
      return "a directive";
    }
    if (event instanceof AliasEvent) {
      return "an alias";
    }
    if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
      return "an anchor";
    }
    if (event instanceof ScalarEvent scalar && Utf8Text.unpairedSurrogate(scalar.getValue()) >= 0) {
      return "an unpaired surrogate";
    }
    return isMarked(event) ? "a tag" : "";
  }

  /** Returns whether a value has an anchor or a tag, or is an alias. */
  public static boolean isMarked(Event event) {
    return (event instanceof NodeEvent node && node.getAnchor().isPresent())
        || (event instanceof ScalarEvent scalar && scalar.getTag().isPresent())
        || (event instanceof CollectionStartEvent start && start.getTag().isPresent());
  }
}
