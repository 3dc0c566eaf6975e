package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import io.equipoise.event.InputFault;
import io.equipoise.policy.ModelState;
import org.jspecify.annotations.Nullable;

/**
 * Where one segment's state lives. The Flink job backs it with keyed state, tests and the oracle
 * with maps.
 *
 * <p>What is read must be put back after a change; the machine never holds what it read across
 * events.
 */
public interface SegmentState {

  /** Returns the segment's head, or null where the segment was never seen or rests. */
  @Nullable SegmentHeader head();

  /** Stores the head. */
  void putHead(SegmentHeader head);

  /** Removes the head of a segment that rests from now on. */
  void removeHead();

  /** Returns what is left of a segment that rests, or null. */
  @Nullable PassivatedSegment passivated();

  /** Stores what is left of a segment that rests; null where it rests no more. */
  void putPassivated(@Nullable PassivatedSegment passivated);

  /** Packs a head and the model's statistics as they are into bytes that this state can unpack. */
  byte[] pack(SegmentHeader head);

  /** Puts the packed statistics back and returns the head. */
  SegmentHeader unpack(byte[] packed);

  /** Returns what is remembered of a decision id, or null. */
  @Nullable Entry entry(IdHash id);

  /** Stores what is remembered of a decision id. */
  void putEntry(IdHash id, Entry entry);

  /** Forgets a decision id. */
  void removeEntry(IdHash id);

  /** Returns a chunk of the due index, or null. */
  @Nullable DueChunk chunk(DueKey key);

  /** Stores a chunk of the due index. */
  void putChunk(DueKey key, DueChunk chunk);

  /** Removes a chunk of the due index. */
  void removeChunk(DueKey key);

  /** Returns the model's statistics. */
  ModelState blocks();

  /** Drops the model's statistics. */
  void clearBlocks();

  /** Returns why a segment that has no state may get none, or null if it may. */
  default @Nullable InputFault refusal() {
    return null;
  }

  /** Returns whether there is room for one more passivated segment. */
  default boolean mayPassivate() {
    return true;
  }

  /** Asks for a call of {@code SegmentMachine.onTimer} when event time has passed {@code time}. */
  void wakeAt(long time);

  /**
   * Names a chunk of the due index.
   *
   * @param queue what falls due
   * @param bucket end of the bucket, ms of event time
   * @param index number of the chunk within the bucket, from 0
   */
  record DueKey(DueIndex.Queue queue, long bucket, int index) {
    // The methods that the compiler generates are slow, and every access to state calls them.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof DueKey key
          && queue == key.queue
          && bucket == key.bucket
          && index == key.index;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * Long.hashCode(bucket) + index) + queue.hashCode();
    }
  }
}
