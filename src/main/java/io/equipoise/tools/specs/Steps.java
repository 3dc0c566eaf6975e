package io.equipoise.tools.specs;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints one line per step of a verb, with its duration. */
final class Steps {
  private static final double NANOS_A_SECOND = 1e9;

  private final PrintWriter out;
  private long begun = System.nanoTime();

  Steps(PrintWriter out) {
    this.out = out;
  }

  /** Ends a step. */
  void done(String step, String result) {
    long now = System.nanoTime();
    out.printf(Locale.ROOT, "%-8s %s (%.1f s)%n", step, result, (now - begun) / NANOS_A_SECOND);
    out.flush();
    begun = now;
  }

  /** Prints a detail of the step that ended last. */
  void detail(String line) {
    out.println("  " + line);
    out.flush();
  }

  /** Begins the next step now: what passed before belongs to none. */
  void restart() {
    begun = System.nanoTime();
  }
}
