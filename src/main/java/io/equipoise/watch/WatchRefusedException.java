package io.equipoise.watch;

/**
 * Reports that a registration, or a promotion, is refused; the code is for programs, the message
 * for people.
 */
public final class WatchRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final WatchRefusal code;

  WatchRefusedException(WatchRefusal code, String message) {
    super(message);
    this.code = code;
  }

  public WatchRefusal code() {
    return code;
  }
}
