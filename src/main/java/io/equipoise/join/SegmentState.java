package io.equipoise.join;

import io.equipoise.bandit.Blocks;
import io.equipoise.event.IdHash;
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
  @Nullable SegmentHead head();

  /** Stores the head. */
  void putHead(SegmentHead head);

  /** Removes the head of a segment that rests from now on. */
  void removeHead();

  /** Returns what is left of a segment that rests, or null. */
  @Nullable SegmentStub stub();

  /** Stores what is left of a segment that rests; null where it rests no more. */
  void putStub(@Nullable SegmentStub stub);

  /** Packs a head and the model's statistics as they are into bytes that this state can unpack. */
  byte[] pack(SegmentHead head);

  /** Puts the packed statistics back and returns the head. */
  SegmentHead unpack(byte[] packed);

  /** Returns what is remembered of a decision id, or null. */
  @Nullable Entry entry(IdHash id);

  /** Stores what is remembered of a decision id. */
  void putEntry(IdHash id, Entry entry);

  /** Forgets a decision id. */
  void removeEntry(IdHash id);

  /** Returns a chunk of the agenda, or null. */
  @Nullable IdChunk chunk(DueKey key);

  /** Stores a chunk of the agenda. */
  void putChunk(DueKey key, IdChunk chunk);

  /** Removes a chunk of the agenda. */
  void removeChunk(DueKey key);

  /** Returns the model's statistics. */
  Blocks blocks();

  /** Drops the model's statistics. */
  void clearBlocks();

  /** Asks for a call of {@link SegmentMachine#onTimer} when event time has passed {@code time}. */
  void wakeAt(long time);

  /**
   * Names a chunk of an agenda.
   *
   * @param queue what falls due
   * @param bucket end of the bucket, ms of event time
   * @param index number of the chunk within the bucket, from 0
   */
  record DueKey(Agenda.Queue queue, long bucket, int index) {}
}
