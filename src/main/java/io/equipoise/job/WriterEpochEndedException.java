package io.equipoise.job;

/**
 * Reports that another writer epoch has replaced this one, or may have. The task fails. If the job
 * manager still uses this task, it restarts it with a higher number.
 */
final class WriterEpochEndedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  WriterEpochEndedException(String message) {
    super(message);
  }
}
