package io.equipoise.cli;

import io.equipoise.event.ControlCharacters;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints one line per step of a verb, with its duration. */
public final class Steps {
  private static final double NANOS_A_SECOND = 1e9;

  private final PrintWriter out;
  private long begun = System.nanoTime();

  public Steps(PrintWriter out) {
    this.out = out;
  }

  /** Ends a step. */
  public void done(String line) {
    long now = System.nanoTime();
    out.printf(
        Locale.ROOT,
        "%s (%.1f s)%n",
        ControlCharacters.escaped(line),
        (now - begun) / NANOS_A_SECOND);
    out.flush();
    begun = now;
  }

  /** Ends a step that has a name, so that results stand below each other. */
  public void done(String step, String result) {
    done(String.format(Locale.ROOT, "%-8s %s", step, result));
  }

  /** Prints a detail of the step that ended last. */
  public void detail(String line) {
    out.println("  " + ControlCharacters.escaped(line));
    out.flush();
  }

  /** Begins the next step now: what passed before belongs to none. */
  public void restart() {
    begun = System.nanoTime();
  }
}
