package io.equipoise.join;

import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.event.IdHash;
import io.equipoise.spec.IdleStateSpec.Retain;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A segment's state in plain maps: for the oracle, the library on its own, and tests. */
public final class MemorySegmentState implements SegmentState {
  private final Map<IdHash, Entry> entries = new HashMap<>();
  private final Map<DueKey, IdChunk> chunks = new HashMap<>();
  private final TreeSet<Long> timers = new TreeSet<>();
  private MemoryBlocks blocks = new MemoryBlocks();
  private @Nullable SegmentHead head;
  private @Nullable SegmentStub stub;
  private @Nullable SegmentHead shelvedHead;
  private MemoryBlocks shelvedBlocks = new MemoryBlocks();

  @Override
  public @Nullable SegmentHead head() {
    return head;
  }

  @Override
  public void putHead(SegmentHead head) {
    this.head = head;
  }

  @Override
  public void removeHead() {
    head = null;
  }

  @Override
  public @Nullable SegmentStub stub() {
    return stub;
  }

  @Override
  public void putStub(@Nullable SegmentStub stub) {
    this.stub = stub;
  }

  /** Sets both aside as they are; the bytes are none. */
  @Override
  public byte[] pack(SegmentHead packed) {
    shelvedHead = packed;
    shelvedBlocks = blocks;
    return new byte[0];
  }

  @Override
  public SegmentHead unpack(byte[] packed) {
    SegmentHead back = shelvedHead;
    if (back == null) {
      throw new IllegalStateException("nothing was packed here");
    }
    blocks = shelvedBlocks;
    shelvedHead = null;
    shelvedBlocks = new MemoryBlocks();
    return back;
  }

  /** Returns the head, that of a segment that rests too; null where it was never seen. */
  @Nullable SegmentHead headAlsoAtRest() {
    SegmentStub left = head == null ? stub : null;
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
  public @Nullable IdChunk chunk(DueKey key) {
    return chunks.get(key);
  }

  @Override
  public void putChunk(DueKey key, IdChunk chunk) {
    chunks.put(key, chunk);
  }

  @Override
  public void removeChunk(DueKey key) {
    chunks.remove(key);
  }

  @Override
  public Blocks blocks() {
    return blocks;
  }

  @Override
  public void clearBlocks() {
    blocks = new MemoryBlocks();
  }

  @Override
  public void wakeAt(long time) {
    timers.add(time);
  }

  /** Takes out the earliest timer at or before a time, or null. */
  public @Nullable Long pollTimer(long time) {
    return timers.isEmpty() || timers.first() > time ? null : timers.pollFirst();
  }

  /** Returns the number of ids remembered. */
  public int entryCount() {
    return entries.size();
  }

  /** Returns the number of chunks of the agendas. */
  public int chunkCount() {
    return chunks.size();
  }

  /** Returns the number of timers set. */
  public int timerCount() {
    return timers.size();
  }
}
