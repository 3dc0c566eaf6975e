package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a segment's state in plain maps: for the oracle, the library without Flink, and tests.
 *
 * <p>The maps, the header and the timers are the state; nothing is derived. A packed header and its
 * model are set aside as objects. Not thread-safe.
 */
public final class MemorySegmentState implements SegmentState {
  private final Map<IdHash, Entry> entries = new HashMap<>();
  private final Map<DueKey, DueChunk> chunks = new HashMap<>();
  private final TreeSet<Long> timers = new TreeSet<>();
  private MemoryModelState blocks = new MemoryModelState();
  private @Nullable SegmentHeader head;
  private @Nullable PassivatedSegment passivated;
  private @Nullable SegmentHeader shelvedHead;
  private MemoryModelState shelvedBlocks = new MemoryModelState();

  @Override
  public @Nullable SegmentHeader head() {
    return head;
  }

  @Override
  public void putHead(SegmentHeader head) {
    this.head = head;
  }

  @Override
  public void removeHead() {
    head = null;
  }

  @Override
  public @Nullable PassivatedSegment passivated() {
    return passivated;
  }

  @Override
  public void putPassivated(@Nullable PassivatedSegment passivated) {
    this.passivated = passivated;
  }

  /** Sets header and model aside as objects; returns no bytes. */
  @Override
  public byte[] pack(SegmentHeader packed) {
    shelvedHead = packed;
    shelvedBlocks = blocks;
    return new byte[0];
  }

  @Override
  public SegmentHeader unpack(byte[] packed) {
    SegmentHeader back = shelvedHead;
    if (back == null) {
      throw new IllegalStateException("nothing was packed here");
    }
    blocks = shelvedBlocks;
    shelvedHead = null;
    shelvedBlocks = new MemoryModelState();
    return back;
  }

  /** Returns the header, also of a passivated segment; null before the first event. */
  @Nullable
  public SegmentHeader headAlsoAtRest() {
    PassivatedSegment left = head == null ? passivated : null;
    if (left == null) {
      return head;
    }
    return left.retain() == Retain.MODEL ? shelvedHead : left.emptyHead();
  }

  @Override
  public @Nullable Entry entry(IdHash id) {
    return entries.get(id);
  }

  @Override
  public void putEntry(IdHash id, Entry entry) {
    entries.put(id, entry);
  }

  @Override
  public void removeEntry(IdHash id) {
    entries.remove(id);
  }

  @Override
  public @Nullable DueChunk chunk(DueKey key) {
    return chunks.get(key);
  }

  @Override
  public void putChunk(DueKey key, DueChunk chunk) {
    chunks.put(key, chunk);
  }

  @Override
  public void removeChunk(DueKey key) {
    chunks.remove(key);
  }

  @Override
  public ModelState blocks() {
    return blocks;
  }

  @Override
  public void clearBlocks() {
    blocks = new MemoryModelState();
  }

  @Override
  public void wakeAt(long time) {
    timers.add(time);
  }

  /** Removes and returns the earliest timer at or before a time; null if there is none. */
  public @Nullable Long pollTimer(long time) {
    return timers.isEmpty() || timers.first() > time ? null : timers.pollFirst();
  }

  /** Returns the number of ids remembered. */
  public int entryCount() {
    return entries.size();
  }

  /** Returns the number of chunks of the due index. */
  public int chunkCount() {
    return chunks.size();
  }

  /** Returns the number of timers set. */
  public int timerCount() {
    return timers.size();
  }
}
