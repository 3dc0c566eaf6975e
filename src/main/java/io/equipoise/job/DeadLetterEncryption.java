package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.job.options.PrivacyOptions;
import io.equipoise.job.topics.Emission;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the dead letters of all operators in the sink, after {@link RecordSizeLimit}. The Kafka
 * key of a dead letter is its segment, or the sender's key if the input could not be decoded. The
 * sender's key is not validated and is left out.
 */
public final class DeadLetterEncryption implements Serializable {
  private static final long serialVersionUID = 1L;

  private final PrivacyOptions privacyOptions;
  private transient @Nullable Redactor redactor;

  public DeadLetterEncryption(PrivacyOptions privacyOptions) {
    this.privacyOptions = privacyOptions;
  }

  /** Returns the maximum growth of a dead letter by encryption; its topic needs this room. */
  public int mostAddedBytes() {
    return privacyOptions.sensitive() == SensitiveValues.PLAIN
        ? 0
        : Redactor.MOST_ADDED_TO_DEAD_LETTER_BYTES;
  }

  /** Reads the key; called on the machine that writes. */
  public void open() {
    redactor = privacyOptions.redactor(hash -> null);
  }

  /** Returns the given record; the content of a dead letter is encrypted. */
  public Emission seal(Emission emission) {
    if (emission.output() != LogTopic.DEAD_LETTER
        || privacyOptions.sensitive() == SensitiveValues.PLAIN) {
      return emission;
    }
    if (redactor == null) {
      throw new IllegalStateException(
          "dead letters cannot be encrypted before open() has read the key");
    }
    DeadLetter plain = Wire.DEAD_LETTER.decode(emission.value());
    byte[] key = emission.key();
    boolean isSegment =
        key != null
            && plain.segment() != null
            && Arrays.equals(key, plain.segment().getBytes(StandardCharsets.UTF_8));
    return Emission.of(redactor.of(plain), isSegment ? key : null);
  }
}
