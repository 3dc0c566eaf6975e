package io.equipoise.segmentspec;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reports all faults of a spec, each once. The message has one line for each. */
public final class SpecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final SpecFault[] faults;

  /** Takes one fault or more. */
  public SpecException(List<SpecFault> faults) {
    this(faults, null);
  }

  /** Takes one fault or more, and what was thrown where they were found. */
  public SpecException(List<SpecFault> faults, @Nullable Throwable cause) {
    super(
        faults.stream().distinct().map(SpecFault::toString).collect(Collectors.joining("\n")),
        cause);
    if (faults.isEmpty()) {
      throw new IllegalArgumentException("a SpecException without a fault");
    }
    this.faults = faults.stream().distinct().toArray(SpecFault[]::new);
  }

  /** Returns the faults in the order of the text. */
  public List<SpecFault> faults() {
    return List.of(faults);
  }
}
