package io.equipoise;

import io.equipoise.causal.bounds.ClopperPearson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** The tier that runs, and the numbers that a suite finds, for the tier's results file. */
public final class Tier {
  static final Path FACTS = Path.of("target", "tier-facts.tsv");

  private static final String NAME = System.getProperty("equipoise.tier", "ci");

  private Tier() {}

  /** Says whether this is the full tier. */
  public static boolean isFull() {
    return NAME.equals("full");
  }

  /** Says whether this is the tier that kills real processes. */
  public static boolean isChaos() {
    return NAME.equals("chaos");
  }

  /** Returns a count: the tiers run the same code, the full one more of it. */
  public static int count(int ci, int full) {
    return isFull() ? full : ci;
  }

  /** Keeps a number that a suite found or reached. */
  public static synchronized void found(Class<?> suite, String what, Object value) {
    String line = suite.getSimpleName() + "\t" + what + "\t" + value + "\n";
    try {
      Files.createDirectories(FACTS.getParent());
      Files.write(
          FACTS,
          line.getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps how many runs ended in some way, with the 95 % interval of Clopper and Pearson. */
  public static void foundShare(Class<?> suite, String what, int hits, int runs) {
    double low = 100 * ClopperPearson.lower(hits, runs, .05);
    double high = 100 * ClopperPearson.upper(hits, runs, .05);
    String value = String.format(Locale.ROOT, "%d of %d, %.2f to %.2f %%", hits, runs, low, high);
    found(suite, what, value);
  }
}
