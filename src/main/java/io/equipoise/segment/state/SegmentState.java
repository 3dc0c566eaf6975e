package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import io.equipoise.event.InputFault;
import io.equipoise.policy.ModelState;
import org.jspecify.annotations.Nullable;

/**
 * Stores one segment's state. The Flink job backs it with keyed state, tests and the oracle with
 * maps.
 *
 * <p>A caller that changes a value it has read must put it back. The machine keeps no value across
 * events.
 */
public interface SegmentState {

  /** Returns the segment's header, or null before its first event and while it is passivated. */
  @Nullable SegmentHeader head();

  void putHead(SegmentHeader head);

  /** Removes the header of a segment that is being passivated. */
  void removeHead();

  /** Returns the remains of a passivated segment, or null if it is not passivated. */
  @Nullable PassivatedSegment passivated();

  /** Stores the remains of a passivated segment; null removes them. */
  void putPassivated(@Nullable PassivatedSegment passivated);

  /** Packs a head and the model's statistics as they are into bytes that this state can unpack. */
  byte[] pack(SegmentHeader head);

  /** Puts the packed statistics back and returns the head. */
  SegmentHeader unpack(byte[] packed);

  /** Returns the entry of a decision id, or null. */
  @Nullable Entry entry(IdHash id);

  /** Stores the entry of a decision id. */
  void putEntry(IdHash id, Entry entry);

  /** Removes the entry of a decision id. */
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

  /** Returns the fault of an input whose segment has no state and may not get any, or null. */
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
   * Identifies a chunk of the due index.
   *
   * @param queue the kind of ids
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
