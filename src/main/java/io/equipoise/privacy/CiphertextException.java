package io.equipoise.privacy;

/** Reports that a redacted record cannot be decrypted. */
public final class CiphertextException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isForged;

  private CiphertextException(String message, boolean isForged) {
    super(message);
    this.isForged = isForged;
  }

  static CiphertextException dropped() {
    return new CiphertextException(
        "its sensitive values were removed (equipoise.privacy.sensitive-values: redact) and are"
            + " not stored anywhere",
        false);
  }

  static CiphertextException noKey(String keyId) {
    return new CiphertextException(
        "its sensitive values are encrypted with key " + keyId + "; give --key FILE", false);
  }

  static CiphertextException otherKey(String keyId, String given) {
    return new CiphertextException(
        "its sensitive values are encrypted with key "
            + keyId
            + ", but the given key is "
            + given
            + "; give --key FILE of that key too",
        false);
  }

  static CiphertextException forged(String fact) {
    return new CiphertextException("its encrypted values were changed: " + fact, true);
  }

  /** Returns whether the record was changed; otherwise the key is missing. */
  public boolean isForged() {
    return isForged;
  }
}
