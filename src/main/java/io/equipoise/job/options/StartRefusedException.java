package io.equipoise.job.options;

import java.util.List;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Says why the job was not started: every fault that was found, each with its remedy. Where a task
 * says it, Flink does not start the job again, whatever its restart strategy: nothing would change.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class StartRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String[] faults;

  public StartRefusedException(String what, List<String> faults) {
    super(what + ":\n  " + String.join("\n  ", faults));
    this.faults = faults.toArray(new String[0]);
  }

  /** Returns the faults, one line each. */
  public List<String> faults() {
    return List.of(faults);
  }
}
