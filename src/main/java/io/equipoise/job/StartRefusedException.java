package io.equipoise.job;

import java.util.List;

/** Says why the job was not started: every fault that was found, each with its remedy. */
public final class StartRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String[] faults;

  StartRefusedException(String what, List<String> faults) {
    super(what + ":\n  " + String.join("\n  ", faults));
    this.faults = faults.toArray(new String[0]);
  }

  /** Returns the faults, one line each. */
  public List<String> faults() {
    return List.of(faults);
  }
}
