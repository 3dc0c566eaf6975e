package io.equipoise.console;

import io.equipoise.audit.verify.Tamper;

/** Copies records with other components, to make logs that no segment would write. */
public final class Rewritten {
  private Rewritten() {}

  /**
   * Returns a copy.
   *
   * @param namesAndValues of the other components, in turn
   */
  public static <T extends Record> T with(Class<T> type, T record, Object... namesAndValues) {
    T copy = record;
    for (int i = 0; i < namesAndValues.length; i += 2) {
      copy = Tamper.with(copy, (String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return type.cast(copy);
  }
}
