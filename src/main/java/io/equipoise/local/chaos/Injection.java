package io.equipoise.local.chaos;

/** A kind of fault and how often it is done. */
record Injection(Fault fault, int times) {
  /**
   * Reads {@code NAME} or {@code NAME:COUNT}.
   *
   * @throws IllegalArgumentException with what may be given
   */
  static Injection parse(String text) {
    String[] parts = text.split(":", 2);
    Fault fault = Faults.named(parts[0]);
    if (parts.length == 1) {
      return new Injection(fault, 1);
    }
    if (!parts[1].matches("[1-9]\\d{0,5}")) {
      throw new IllegalArgumentException(
          "the count in " + text + " must be a number from 1 to 999999");
    }
    return new Injection(fault, Integer.parseInt(parts[1]));
  }
}
