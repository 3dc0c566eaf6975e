package io.equipoise.lab.campaign;

import io.equipoise.causal.bounds.ClopperPearson;
import java.util.Locale;

/** How many of some runs, with the exact 95 % interval of the rate (Clopper and Pearson 1934). */
record Rate(int hits, int runs) {
  private static final double ERROR = 0.05;

  double lower() {
    return runs == 0 ? 0 : ClopperPearson.lower(hits, runs, ERROR);
  }

  double upper() {
    return runs == 0 ? 1 : ClopperPearson.upper(hits, runs, ERROR);
  }

  /** Says whether the rate is beyond a limit, whatever chance did. */
  boolean exceeds(double limit) {
    return lower() > limit;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d [%.2f, %.2f] %%", hits, 100 * lower(), 100 * upper());
  }
}
