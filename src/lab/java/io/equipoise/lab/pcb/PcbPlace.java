package io.equipoise.lab.pcb;

import java.util.Map;

/**
 * Numbers the arms (x1, x2), the contexts (u1, u2) and the 16 places (arm, context), the first
 * variable slowest: the order of Table 1.
 */
final class PcbPlace {
  static final int ARMS = 4;
  static final int CONTEXTS = 4;
  static final int PLACES = ARMS * CONTEXTS;

  private PcbPlace() {}

  static int of(int arm, int context) {
    return arm * CONTEXTS + context;
  }

  /** Returns the higher or the lower bit of an arm or a context. */
  static int first(int pair) {
    return pair >> 1;
  }

  static int second(int pair) {
    return pair & 1;
  }

  static int arm(int place) {
    return place / CONTEXTS;
  }

  static int context(int place) {
    return place % CONTEXTS;
  }

  /** Returns the levels of X1, X2, U1, U2. */
  static Map<String, Integer> levels(int place) {
    int arm = arm(place);
    int context = context(place);
    return Map.of("X1", first(arm), "X2", second(arm), "U1", first(context), "U2", second(context));
  }
}
