package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Wire;
import io.equipoise.join.disclosure.Discloser;
import io.equipoise.join.disclosure.Disclosure;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts dead letters where they leave the job, of whatever part they come, after they were made
 * to fit. A letter's own key is its segment, or, of what could not be decoded, the key that the
 * sender gave, which nobody vouches for and which is left out.
 */
final class LetterSeal implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Privacy privacy;
  private transient @Nullable Discloser discloser;

  LetterSeal(Privacy privacy) {
    this.privacy = privacy;
  }

  /** Returns by how much letters grow at most, which the topic must have room for. */
  int mostAddedBytes() {
    return privacy.sensitive() == Disclosure.PLAIN ? 0 : Discloser.MOST_ADDED_TO_LETTER_BYTES;
  }

  /** Reads the key; to be called on the machine that writes. */
  void open() {
    discloser = privacy.discloser(hash -> null);
  }

  /** Returns what was given, or a dead letter without what it held. */
  Emission seal(Emission emission) {
    if (emission.output() != Emission.Output.DEAD_LETTER
        || privacy.sensitive() == Disclosure.PLAIN) {
      return emission;
    }
    if (discloser == null) {
      throw new IllegalStateException("dead letters are to be sealed before the key was read");
    }
    DeadLetter plain = Wire.DEAD_LETTER.decode(emission.value());
    byte[] key = emission.key();
    boolean isSegment =
        key != null
            && plain.segment() != null
            && Arrays.equals(key, plain.segment().getBytes(StandardCharsets.UTF_8));
    return Emission.of(
        emission.output(), isSegment ? key : null, Wire.DEAD_LETTER, discloser.of(plain));
  }
}
