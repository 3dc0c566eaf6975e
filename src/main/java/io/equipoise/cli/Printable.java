package io.equipoise.cli;

import io.equipoise.event.ControlCharacters;
import java.io.IOException;
import java.io.Writer;

/**
 * The terminal output of all commands: escapes control characters like JSON, {@code \\u001b},
 * except line ends and tabs. So ids, levels and messages of others cannot move the cursor, hide
 * text or change its direction.
 */
public final class Printable extends Writer {
  private final Writer out;

  /** Wraps another writer. */
  public Printable(Writer out) {
    this.out = out;
  }

  /** Returns a text as part of one line, with escaped line ends. */
  public static String line(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      append(line, text.charAt(i), false);
    }
    return line.toString();
  }

  @Override
  public void write(char[] characters, int from, int length) throws IOException {
    StringBuilder shown = new StringBuilder(length);
    for (int i = from; i < from + length; i++) {
      append(shown, characters[i], true);
    }
    out.write(shown.toString());
  }

  private static void append(StringBuilder to, char c, boolean mayEndLines) {
    boolean isLayout = mayEndLines && (c == '\n' || c == '\t');
    if (ControlCharacters.isOne(c) && !isLayout) {
      to.append("\\u").append(String.format("%04x", (int) c));
    } else {
      to.append(c);
    }
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
