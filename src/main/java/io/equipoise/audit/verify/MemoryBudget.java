package io.equipoise.audit.verify;

/** Counts the bytes that one pass holds and ends it where they are too many. */
public final class MemoryBudget {
  private final long most;
  private long held;

  /** Starts with nothing held. */
  public MemoryBudget(long most) {
    this.most = most;
  }

  /**
   * Counts bytes that are held from now on.
   *
   * @throws ExceededException if that is too many
   */
  public void reserve(long bytes) {
    held += bytes;
    if (held > most) {
      throw new ExceededException();
    }
  }

  /** Counts bytes that are held no more. */
  public void release(long bytes) {
    held -= bytes;
  }

  /** Says that a pass needs more memory than it may have. */
  public static final class ExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private ExceededException() {
      super("a pass needs more memory than it may have", null, false, false);
    }
  }
}
