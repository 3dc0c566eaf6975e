package io.equipoise.event;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of the sensitive values of a record that is not plain. Components are documented in
 * the schemas that have it, as {@code avro/Decision.avsc}. Bytes are not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
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
    return "Hidden[" + mode + ", key " + keyId + ", " + bytes + " bytes]";
  }
}
