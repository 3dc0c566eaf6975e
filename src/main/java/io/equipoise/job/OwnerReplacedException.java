package io.equipoise.job;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Another job of the deployment has started. Flink does not restart this one, whatever its restart
 * strategy: the two would take turns.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
final class OwnerReplacedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  OwnerReplacedException(String message) {
    super(message);
  }
}
