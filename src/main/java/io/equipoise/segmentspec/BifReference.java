package io.equipoise.segmentspec;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Locates the value of {@code distributions.bif-file} in a text.
 *
 * @param path relative to the text's own file
 * @param line of the key, counted from 1
 * @param indentation of the key
 * @param end the column after the value, in code points
 */
record BifReference(Path path, int line, int indentation, int end) {
  private static final String KEY = "bif-file";

  /**
   * Returns null if there is none, also after a fault.
   *
   * @param exists whether there is a file of a path, relative to the text's own file
   */
  static @Nullable BifReference find(String text, SpecFaults specFaults, Predicate<Path> exists) {
    Node root = YamlText.read(text, specFaults).orElse(null);
    NodeTuple distributions = entry(root, "distributions");
    NodeTuple entry = distributions == null ? null : entry(distributions.getValueNode(), KEY);
    if (distributions == null || entry == null) {
      return null;
    }
    Field field = new Field("distributions." + KEY, entry.getValueNode(), specFaults);
    String name = field.text();
    Optional<Mark> start = entry.getKeyNode().getStartMark();
    Optional<Mark> end = entry.getValueNode().getEndMark();
    if (name == null || start.isEmpty() || end.isEmpty()) {
      return null;
    }
    Path path = path(name);
    if (path == null) {
      field.fault("a path relative to this file, to a file in its directory or below");
      return null;
    }
    if (!exists.test(path)) {
      field.fault("a file that exists, in the directory of this file or below");
      return null;
    }
    boolean block = ((MappingNode) distributions.getValueNode()).getFlowStyle() == FlowStyle.BLOCK;
    String before = line(text, start.get().getLine()).stripLeading();
    if (!block || !before.startsWith(KEY) || start.get().getLine() != end.get().getLine()) {
      field.fault("bif-file: name.bif on a line of its own, without braces");
      return null;
    }
    return new BifReference(
        path, start.get().getLine() + 1, start.get().getColumn(), end.get().getColumn());
  }

  /** Returns a path to a file in the directory of the text or below; null for any other. */
  private static @Nullable Path path(String name) {
    try {
      Path path = Path.of(name);
      return path.isAbsolute() || path.normalize().startsWith("..") ? null : path;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Puts the network where the reference is; a comment behind it stays. */
  InlinedText replace(String text, String network) {
    String old = line(text, line - 1);
    String rest = old.substring(old.offsetByCodePoints(0, end));
    String header = " ".repeat(indentation) + "bif: |2" + rest;
    return InlinedText.of(text, line, header, indentation + 2, network);
  }

  private static String line(String text, int number) {
    return text.lines().skip(number).findFirst().orElse("");
  }

  /** Returns the entry of a mapping with a key, or null. */
  static @Nullable NodeTuple entry(@Nullable Node node, String key) {
    if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key)) {
          return tuple;
        }
      }
    }
    return null;
  }

  /**
   * Holds a text with inserted lines, and maps its lines to those of the original.
   *
   * @param after the line after which they were inserted, counted from 1
   * @param inserted their number
   */
  record InlinedText(String text, int after, int inserted) {
    /** Returns a text without inserted lines. */
    static InlinedText of(String text) {
      return new InlinedText(text, 0, 0);
    }

    /** Puts the block, indented, behind a line that is replaced by {@code header}. */
    static InlinedText of(String text, int line, String header, int indentation, String block) {
      List<String> lines = new ArrayList<>(text.lines().toList());
      lines.set(line - 1, header);
      List<String> inserted =
          block.lines().map(it -> it.isEmpty() ? it : " ".repeat(indentation) + it).toList();
      lines.addAll(line, inserted);
      return new InlinedText(String.join("\n", lines) + "\n", line, inserted.size());
    }

    /**
     * Returns the line that a line of the text has in the original; of the block, that before it.
     */
    int original(int line) {
      return line <= after ? line : Math.max(after, line - inserted);
    }
  }
}
