package io.equipoise.event;

/**
 * Carries what a reader of an input topic emits: the result of decoding a record, or its own
 * progress.
 */
public sealed interface Decoded {
  /**
   * Carries an input whose ids, segment and time could be decoded; {@link Input#fault} may still
   * reject it.
   */
  record Good(Input input) implements Decoded {}

  /** Carries the dead letter of a record that could not be decoded. */
  record Bad(DeadLetter letter) implements Decoded {}

  /**
   * Reports how far a partition has been read; it is no record. Every record of the partition that
   * follows was appended after both times.
   *
   * @param newestAppendTime a time that the brokers had given to a record of an input topic, epoch
   *     ms; 0 if unknown
   * @param askedAt when the brokers were asked where the partition ends, by the reader's clock,
   *     epoch ms; 0 if the partition has only been assigned
   */
  record Progress(String topic, int partition, long newestAppendTime, long askedAt)
      implements Decoded {}
}
