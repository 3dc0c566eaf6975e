package io.equipoise.event;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Describes how the sensitive values of a record were redacted. The schemas that contain it
 * document the components, for example {@code avro/Decision.avsc}. Bytes are not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below handle arrays
public record Redaction(RedactionMode mode, @Nullable String keyId, byte @Nullable [] ciphertext) {
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Redaction that
        && mode == that.mode
        && Objects.equals(keyId, that.keyId)
        && Arrays.equals(ciphertext, that.ciphertext);
  }

  @Override
  public int hashCode() {
    return 31 * mode.hashCode() + Arrays.hashCode(ciphertext);
  }

  @Override
  public String toString() {
    int bytes = ciphertext == null ? 0 : ciphertext.length;
    return "Redaction[" + mode + ", key " + keyId + ", " + bytes + " bytes]";
  }
}
