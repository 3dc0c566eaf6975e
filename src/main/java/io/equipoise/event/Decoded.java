package io.equipoise.event;

/** What an input record turned out to be. */
public sealed interface Decoded {
  /** Ids, segment and time could be read; {@link Input#fault} may still forbid its use. */
  record Good(Input input) implements Decoded {}

  /** Nothing in the record can be relied on. */
  record Bad(DeadLetter letter) implements Decoded {}
}
