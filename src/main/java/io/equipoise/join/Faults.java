package io.equipoise.join;

import io.equipoise.event.ErrorCode;
import io.equipoise.spec.AttributeFault;
import io.equipoise.spec.Encoded;
import java.util.stream.Collectors;

/** Says in the dead letter's words what is wrong with an event's attributes. */
final class Faults {
  private Faults() {}

  /** Returns the code of the first fault. */
  static ErrorCode code(Encoded encoded) {
    return ErrorCode.valueOf(encoded.faults().get(0).code().name());
  }

  /** Returns the messages of all faults. */
  static String message(Encoded encoded) {
    return encoded.faults().stream().map(AttributeFault::message).collect(Collectors.joining("; "));
  }
}
