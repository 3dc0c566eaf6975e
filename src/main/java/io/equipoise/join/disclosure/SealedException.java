package io.equipoise.join.disclosure;

/** Says why the plain record behind a record cannot be had. */
public final class SealedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isForged;

  private SealedException(String message, boolean isForged) {
    super(message);
    this.isForged = isForged;
  }

  static SealedException dropped() {
    return new SealedException(
        "its sensitive values were dropped (equipoise.privacy.sensitive-values: redact) and are"
            + " nowhere",
        false);
  }

  static SealedException noKey(String keyId) {
    return new SealedException(
        "its sensitive values are sealed with key " + keyId + "; give --key FILE", false);
  }

  static SealedException otherKey(String keyId, String given) {
    return new SealedException(
        "its sensitive values are sealed with key "
            + keyId
            + ", and the key given is "
            + given
            + "; give --key FILE of that key too",
        false);
  }

  static SealedException forged(String fact) {
    return new SealedException("its sealed values are not what was written: " + fact, true);
  }

  /** Says whether somebody changed the record, rather than that the key is missing. */
  public boolean isForged() {
    return isForged;
  }
}
