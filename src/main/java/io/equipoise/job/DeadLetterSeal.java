package io.equipoise.job;

import io.equipoise.event.DeadLetter;
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
 * Encrypts dead letters where they leave the job, of whatever part they come, after they were made
 * to fit. A letter's own key is its segment, or, of what could not be decoded, the key that the
 * sender gave, which nobody vouches for and which is left out.
 */
public final class DeadLetterSeal implements Serializable {
  private static final long serialVersionUID = 1L;

  private final PrivacyOptions privacyOptions;
  private transient @Nullable Redactor redactor;

  public DeadLetterSeal(PrivacyOptions privacyOptions) {
    this.privacyOptions = privacyOptions;
  }

  /** Returns by how much letters grow at most, which the topic must have room for. */
  public int mostAddedBytes() {
    return privacyOptions.sensitive() == SensitiveValues.PLAIN
        ? 0
        : Redactor.MOST_ADDED_TO_DEAD_LETTER_BYTES;
  }

  /** Reads the key; to be called on the machine that writes. */
  public void open() {
    redactor = privacyOptions.redactor(hash -> null);
  }

  /** Returns what was given, or a dead letter without what it held. */
  public Emission seal(Emission emission) {
    if (emission.output() != Emission.Output.DEAD_LETTER
        || privacyOptions.sensitive() == SensitiveValues.PLAIN) {
      return emission;
    }
    if (redactor == null) {
      throw new IllegalStateException("dead letters are to be sealed before the key was read");
    }
    DeadLetter plain = Wire.DEAD_LETTER.decode(emission.value());
    byte[] key = emission.key();
    boolean isSegment =
        key != null
            && plain.segment() != null
            && Arrays.equals(key, plain.segment().getBytes(StandardCharsets.UTF_8));
    return Emission.of(
        emission.output(), isSegment ? key : null, Wire.DEAD_LETTER, redactor.of(plain));
  }
}
