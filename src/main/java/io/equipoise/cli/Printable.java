package io.equipoise.cli;

import io.equipoise.event.ControlCharacters;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Collection;

/**
 * Writes the terminal output of all commands. It escapes control characters like JSON, {@code
 * \\u001b}, except line ends and tabs. So ids, levels and messages of others cannot move the
 * cursor, hide text or change its direction.
 */
public final class Printable extends Writer {
  private final Writer out;

  /** Wraps another writer. */
  public Printable(Writer out) {
    this.out = out;
  }

  /** Prints each text as one line, with escaped line ends: names in it may have some. */
  public static void lines(Collection<String> texts, PrintWriter out) {
    texts.stream().map(ControlCharacters::escaped).forEach(out::println);
  }

  @Override
  public void write(char[] characters, int from, int length) throws IOException {
    StringBuilder shown = new StringBuilder(length);
    for (int i = from; i < from + length; i++) {
      char c = characters[i];
      if (c == '\n' || c == '\t') {
        shown.append(c);
      } else {
        ControlCharacters.append(shown, c);
      }
    }
    out.write(shown.toString());
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
