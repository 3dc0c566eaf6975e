package io.equipoise.spec;

import java.util.List;
import java.util.stream.Collectors;

/** Says all that is wrong with a spec. The message has one line for each fault. */
public final class SpecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final SpecFault[] faults;

  /** Takes one fault or more. */
  public SpecException(List<SpecFault> faults) {
    super(faults.stream().map(SpecFault::toString).collect(Collectors.joining("\n")));
    if (faults.isEmpty()) {
      throw new IllegalArgumentException("a SpecException without a fault");
    }
    this.faults = faults.toArray(new SpecFault[0]);
  }

  /** Returns the faults in the order of the text. */
  public List<SpecFault> faults() {
    return List.of(faults);
  }
}
