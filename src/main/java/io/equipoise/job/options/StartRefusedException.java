package io.equipoise.job.options;

import java.util.List;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Reports that the job was not started, with every error and its remedy. If a task throws it, Flink
 * does not restart the job, whatever its restart strategy: a restart would change nothing.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class StartRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String[] faults;

  public StartRefusedException(String what, List<String> faults) {
    super(what + ":\n  " + String.join("\n  ", faults));
    this.faults = faults.toArray(new String[0]);
  }

  /** Returns the errors, one line each. */
  public List<String> faults() {
    return List.of(faults);
  }
}
