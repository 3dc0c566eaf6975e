package io.equipoise.audit.verify;

/** Counts the bytes that one pass reserves, up to a limit. */
public final class MemoryBudget {
  private final long most;
  private long held;

  /** Starts with nothing reserved; {@code most} is the limit in bytes. */
  public MemoryBudget(long most) {
    this.most = most;
  }

  /**
   * Adds reserved bytes.
   *
   * @throws ExceededException if the sum exceeds the limit
   */
  public void reserve(long bytes) {
    held += bytes;
    if (held > most) {
      throw new ExceededException();
    }
  }

  /** Subtracts reserved bytes. */
  public void release(long bytes) {
    held -= bytes;
  }

  /** Ends a pass that needs more memory than its limit. */
  public static final class ExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private ExceededException() {
      super("a pass needs more memory than its limit", null, false, false);
    }
  }
}
