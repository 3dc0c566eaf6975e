package io.equipoise.cli;

import java.util.List;

/**
 * Reports the invalid options of a command. Lists every error: place, value given, value allowed.
 */
public final class InvalidOptionsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String[] faults;

  /** Creates the exception from its subject and the errors, one line each. */
  public InvalidOptionsException(String what, List<String> faults) {
    super(what + ":\n  " + String.join("\n  ", faults));
    this.faults = faults.toArray(new String[0]);
  }

  /** Returns the errors, one line each. */
  public List<String> faults() {
    return List.of(faults);
  }
}
