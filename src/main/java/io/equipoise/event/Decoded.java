package io.equipoise.event;

/** The result of decoding an input record. */
public sealed interface Decoded {
  /** Ids, segment and time could be decoded; {@link Input#fault} may still reject it. */
  record Good(Input input) implements Decoded {}

  /** The record could not be decoded. */
  record Bad(DeadLetter letter) implements Decoded {}
}
