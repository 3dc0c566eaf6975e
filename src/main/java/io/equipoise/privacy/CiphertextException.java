package io.equipoise.privacy;

/** Says why the plain record behind a record cannot be had. */
public final class CiphertextException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isForged;

  private CiphertextException(String message, boolean isForged) {
    super(message);
    this.isForged = isForged;
  }

  static CiphertextException dropped() {
    return new CiphertextException(
        "its sensitive values were dropped (equipoise.privacy.sensitive-values: redact) and are"
            + " nowhere",
        false);
  }

  static CiphertextException noKey(String keyId) {
    return new CiphertextException(
        "its sensitive values are sealed with key " + keyId + "; give --key FILE", false);
  }

  static CiphertextException otherKey(String keyId, String given) {
    return new CiphertextException(
        "its sensitive values are sealed with key "
            + keyId
            + ", and the key given is "
            + given
            + "; give --key FILE of that key too",
        false);
  }

  static CiphertextException forged(String fact) {
    return new CiphertextException("its sealed values are not what was written: " + fact, true);
  }

  /** Says whether somebody changed the record, rather than that the key is missing. */
  public boolean isForged() {
    return isForged;
  }
}
