package io.equipoise.job;

/**
 * Says that another attempt has taken this one's place, or may have. The task fails; if it is the
 * one that the job manager wants, it is started again and takes a greater number.
 */
final class WriterEpochOverException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  WriterEpochOverException(String message) {
    super(message);
  }
}
