package io.equipoise.segment;

import io.equipoise.event.IdHash;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.segment.state.DueChunk;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segment.state.SegmentState;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import io.equipoise.state.BlockSerializer;
import io.equipoise.state.ChunkSerializer;
import io.equipoise.state.DueKeySerializer;
import io.equipoise.state.EntrySerializer;
import io.equipoise.state.HeadSerializer;
import io.equipoise.state.IdHashSerializer;
import io.equipoise.state.PackedSegment;
import io.equipoise.state.PassivatedSegmentSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A segment's state as the bytes that a checkpoint would hold, between any two accesses: a machine
 * over it is restored at every step, and a change that is not put back is lost.
 */
public final class ByteSegmentState implements SegmentState {
  private static final HeadSerializer HEAD = new HeadSerializer();
  private static final EntrySerializer ENTRY = new EntrySerializer();
  private static final ChunkSerializer CHUNK = new ChunkSerializer();
  private static final BlockSerializer BLOCK = new BlockSerializer();
  private static final IdHashSerializer ID = new IdHashSerializer();
  private static final PassivatedSegmentSerializer PASSIVATED = new PassivatedSegmentSerializer();
  private static final DueKeySerializer DUE_KEY = new DueKeySerializer();

  private final Map<ByteBuffer, byte[]> entries = new HashMap<>();
  private final Map<ByteBuffer, byte[]> chunks = new HashMap<>();
  private final TreeMap<Long, byte[]> blocks = new TreeMap<>();
  private final TreeSet<Long> timers = new TreeSet<>();
  private byte @Nullable [] head;
  private byte @Nullable [] passivated;

  @Override
  public @Nullable SegmentHeader head() {
    return read(HEAD, head);
  }

  @Override
  public void putHead(SegmentHeader value) {
    head = write(HEAD, value);
  }

  @Override
  public void removeHead() {
    head = null;
  }

  @Override
  public @Nullable PassivatedSegment passivated() {
    return read(PASSIVATED, passivated);
  }

  @Override
  public void putPassivated(@Nullable PassivatedSegment left) {
    passivated = left == null ? null : write(PASSIVATED, left);
  }

  @Override
  public byte[] pack(SegmentHeader packed) {
    try {
      return PackedSegment.pack(packed, blocks());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public SegmentHeader unpack(byte[] packed) {
    try {
      return PackedSegment.unpack(packed, blocks());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public @Nullable Entry entry(IdHash id) {
    return read(ENTRY, entries.get(key(ID, id)));
  }

  @Override
  public void putEntry(IdHash id, Entry entry) {
    entries.put(key(ID, id), write(ENTRY, entry));
  }

  @Override
  public void removeEntry(IdHash id) {
    entries.remove(key(ID, id));
  }

  @Override
  public @Nullable DueChunk chunk(DueKey key) {
    return read(CHUNK, chunks.get(key(DUE_KEY, key)));
  }

  @Override
  public void putChunk(DueKey key, DueChunk chunk) {
    chunks.put(key(DUE_KEY, key), write(CHUNK, chunk));
  }

  @Override
  public void removeChunk(DueKey key) {
    chunks.remove(key(DUE_KEY, key));
  }

  @Override
  public ModelState blocks() {
    return new ByteBlocks();
  }

  @Override
  public void clearBlocks() {
    blocks.clear();
  }

  @Override
  public void wakeAt(long time) {
    timers.add(time);
  }

  /** Returns what a savepoint would have of the segment, or null before its first event. */
  public @Nullable SegmentSnapshot saved() {
    PassivatedSegment left = passivated();
    if (left != null && left.retain() == Retain.NONE) {
      return SegmentSnapshot.emptied(left);
    }
    try {
      MemoryModelState model = new MemoryModelState();
      blocks().entries().forEach(block -> model.put(block.getKey(), block.getValue()));
      SegmentHeader now = left == null ? head() : PackedSegment.unpack(left.bytes(), model);
      Map<IdHash, Entry> remembered = new HashMap<>();
      for (Map.Entry<ByteBuffer, byte[]> entry : entries.entrySet()) {
        IdHash id = ID.deserialize(new DataInputDeserializer(entry.getKey().array()));
        remembered.put(id, ENTRY.deserialize(new DataInputDeserializer(entry.getValue())));
      }
      return now == null
          ? null
          : new SegmentSnapshot(now, model, left == null ? null : left.retain(), remembered);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a state of its own with the same bytes. */
  public ByteSegmentState copy() {
    ByteSegmentState copy = new ByteSegmentState();
    copy.entries.putAll(entries);
    copy.chunks.putAll(chunks);
    copy.blocks.putAll(blocks);
    copy.timers.addAll(timers);
    copy.head = head;
    copy.passivated = passivated;
    return copy;
  }

  /** Takes out the earliest timer at or before a time, or null. */
  public @Nullable Long pollTimer(long time) {
    return timers.isEmpty() || timers.first() > time ? null : timers.pollFirst();
  }

  private static <T> byte[] write(TypeSerializer<T> serializer, T value) {
    try {
      DataOutputSerializer out = new DataOutputSerializer(128);
      serializer.serialize(value, out);
      return out.getCopyOfBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> @Nullable T read(TypeSerializer<T> serializer, byte @Nullable [] bytes) {
    try {
      return bytes == null ? null : serializer.deserialize(new DataInputDeserializer(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> ByteBuffer key(TypeSerializer<T> serializer, T value) {
    return ByteBuffer.wrap(write(serializer, value));
  }

  private final class ByteBlocks implements ModelState {
    @Override
    public @Nullable StateBlock get(long key) {
      return read(BLOCK, blocks.get(key));
    }

    @Override
    public void put(long key, StateBlock stateBlock) {
      blocks.put(key, write(BLOCK, stateBlock));
    }

    @Override
    public void remove(long key) {
      blocks.remove(key);
    }

    @Override
    public Iterable<Map.Entry<Long, StateBlock>> entries() {
      TreeMap<Long, StateBlock> all = new TreeMap<>();
      for (Long key : blocks.keySet()) {
        StateBlock stateBlock = get(key);
        if (stateBlock != null) {
          all.put(key, stateBlock);
        }
      }
      return all.entrySet();
    }
  }
}
