package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.List;

/**
 * A text into which lines were put.
 *
 * @param after the line behind which they were put, counted from 1
 * @param inserted how many there are
 */
record InlinedText(String text, int after, int inserted) {
  /** Returns a text into which nothing was put. */
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

  /** Returns the line that a line of the text has in the original; of the block, that before it. */
  int original(int line) {
    return line <= after ? line : Math.max(after, line - inserted);
  }
}
