package io.equipoise.local.chaos;

import java.util.List;

/**
 * What a fault did.
 *
 * @param doneAt {@link System#nanoTime} from which recovery counts: when the harm was done, or when
 *     it ended where nothing can go on before
 * @param violations what the fault itself saw that must not be, and the topics do not tell
 */
record Harm(long doneAt, List<String> violations) {
  Harm {
    violations = List.copyOf(violations);
  }

  /** Returns harm that the topics tell all about. */
  static Harm at(long nanoTime) {
    return new Harm(nanoTime, List.of());
  }
}
