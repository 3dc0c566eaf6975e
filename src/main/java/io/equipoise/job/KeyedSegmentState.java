package io.equipoise.job;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.InputFault;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateAccessException;
import io.equipoise.policy.StateBlock;
import io.equipoise.segment.state.DueChunk;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SegmentState;
import io.equipoise.state.BlockSerializer;
import io.equipoise.state.ChunkSerializer;
import io.equipoise.state.DueKeySerializer;
import io.equipoise.state.EntryBytesSerializer;
import io.equipoise.state.EntrySerializer;
import io.equipoise.state.HeadSerializer;
import io.equipoise.state.IdHashSerializer;
import io.equipoise.state.PackedSegment;
import io.equipoise.state.PassivatedSegmentSerializer;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.util.function.SupplierWithException;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the state of the current key's segment in Flink's keyed state. State names are
 * part of the savepoint contract.
 *
 * <p>Only Flink's state handles hold state. {@code stored} caches the current key's header, so that
 * one event reads it once; it is valid while {@code isRead} is true, until {@link #current} changes
 * the key. The task thread calls all methods.
 */
final class KeyedSegmentState implements SegmentState {
  private final ValueState<SegmentHeader> head;
  private final ValueState<PassivatedSegment> passivated;
  private final MapState<IdHash, byte[]> entries;
  private final EntrySerializer layout = new EntrySerializer();
  private final MapState<DueKey, DueChunk> dueIndex;
  private final MapState<Long, StateBlock> model;
  private final KeyedBlocks blocks = new KeyedBlocks();

  /** The current key's head, once it was read. */
  private @Nullable SegmentHeader stored;

  private boolean isRead;
  private final SegmentCount count;
  private String segment = "";
  private LongConsumer timers =
      time -> {
        throw new IllegalStateException("Flink has set no current key");
      };

  /**
   * Registers the state.
   *
   * @param count knows whether there is room for more segments
   */
  KeyedSegmentState(RuntimeContext context, SegmentCount count) {
    this.count = count;
    head = context.getState(new ValueStateDescriptor<>("header", new HeadSerializer()));
    passivated =
        context.getState(
            new ValueStateDescriptor<>("passivated", new PassivatedSegmentSerializer()));
    entries =
        context.getMapState(
            new MapStateDescriptor<>(
                "entries", new IdHashSerializer(), new EntryBytesSerializer()));
    dueIndex =
        context.getMapState(
            new MapStateDescriptor<>("due-index", new DueKeySerializer(), new ChunkSerializer()));
    model =
        context.getMapState(
            new MapStateDescriptor<>("model", LongSerializer.INSTANCE, new BlockSerializer()));
  }

  /**
   * Switches to Flink's current key, whose timers are registered through {@code timers}.
   *
   * @param segment the key
   */
  KeyedSegmentState current(String segment, LongConsumer timers) {
    this.segment = segment;
    this.timers = timers;
    isRead = false;
    return this;
  }

  /** Returns whether the current key's segment is active, passivated or absent. */
  SegmentCount.SegmentKind kind() {
    if (head() != null) {
      return SegmentCount.SegmentKind.ACTIVE;
    }
    return passivated() == null
        ? SegmentCount.SegmentKind.NONE
        : SegmentCount.SegmentKind.PASSIVATED;
  }

  @Override
  public @Nullable InputFault refusal() {
    return count.hasRoom(segment, SegmentCount.SegmentKind.ACTIVE)
        ? null
        : new InputFault(ErrorCode.TOO_MANY_SEGMENTS, count.refusal());
  }

  @Override
  public boolean mayPassivate() {
    return count.hasRoom(segment, SegmentCount.SegmentKind.PASSIVATED);
  }

  @Override
  public @Nullable SegmentHeader head() {
    if (!isRead) {
      know(read(head::value));
    }
    return stored;
  }

  @Override
  public void putHead(SegmentHeader value) {
    know(value);
    write(() -> head.update(value));
  }

  @Override
  public void removeHead() {
    know(null);
    write(head::clear);
  }

  private void know(@Nullable SegmentHeader value) {
    stored = value;
    isRead = true;
  }

  @Override
  public @Nullable PassivatedSegment passivated() {
    return read(passivated::value);
  }

  @Override
  public void putPassivated(@Nullable PassivatedSegment left) {
    write(() -> passivated.update(left));
  }

  @Override
  public byte[] pack(SegmentHeader packed) {
    return read(() -> PackedSegment.pack(packed, blocks));
  }

  @Override
  public SegmentHeader unpack(byte[] packed) {
    return read(() -> PackedSegment.unpack(packed, blocks));
  }

  @Override
  public @Nullable Entry entry(IdHash id) {
    byte[] bytes = read(() -> entries.get(id));
    return bytes == null ? null : read(() -> layout.fromBytes(bytes));
  }

  @Override
  public void putEntry(IdHash id, Entry entry) {
    write(() -> entries.put(id, layout.toBytes(entry)));
  }

  @Override
  public void removeEntry(IdHash id) {
    write(() -> entries.remove(id));
  }

  @Override
  public @Nullable DueChunk chunk(DueKey key) {
    return read(() -> dueIndex.get(key));
  }

  @Override
  public void putChunk(DueKey key, DueChunk chunk) {
    write(() -> dueIndex.put(key, chunk));
  }

  @Override
  public void removeChunk(DueKey key) {
    write(() -> dueIndex.remove(key));
  }

  @Override
  public ModelState blocks() {
    return blocks;
  }

  @Override
  public void clearBlocks() {
    model.clear();
  }

  @Override
  public void wakeAt(long time) {
    timers.accept(time);
  }

  private static <T> @Nullable T read(SupplierWithException<@Nullable T, Exception> access) {
    try {
      return access.get();
    } catch (Exception e) {
      throw new StateAccessException(e);
    }
  }

  private static void write(ThrowingRunnable<Exception> access) {
    try {
      access.run();
    } catch (Exception e) {
      throw new StateAccessException(e);
    }
  }

  private final class KeyedBlocks implements ModelState {
    @Override
    public @Nullable StateBlock get(long key) {
      return read(() -> model.get(key));
    }

    @Override
    public void put(long key, StateBlock stateBlock) {
      write(() -> model.put(key, stateBlock));
    }

    @Override
    public void remove(long key) {
      write(() -> model.remove(key));
    }

    @Override
    public Iterable<Map.Entry<Long, StateBlock>> entries() {
      TreeMap<Long, StateBlock> sorted = new TreeMap<>();
      write(
          () -> {
            for (Map.Entry<Long, StateBlock> block : model.entries()) {
              sorted.put(block.getKey(), block.getValue());
            }
          });
      return sorted.entrySet();
    }
  }
}
