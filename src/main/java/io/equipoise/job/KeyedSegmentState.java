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
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
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
 * <p>Only Flink's state handles hold state. What an event has read or written is cached until
 * {@link #current} changes the key, so that the event reads it once. The task thread calls all
 * methods.
 */
final class KeyedSegmentState implements SegmentState {
  private final ReadOnce<SegmentHeader> head;
  private final ReadOnce<PassivatedSegment> passivated;
  private final MapState<IdHash, byte[]> entries;
  private final EntrySerializer layout = new EntrySerializer();
  private final MapState<DueKey, DueChunk> dueIndex;
  private final MapState<Long, StateBlock> model;
  private final KeyedBlocks blocks = new KeyedBlocks();
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
    head = new ReadOnce<>(context, new ValueStateDescriptor<>("header", new HeadSerializer()));
    passivated =
        new ReadOnce<>(
            context, new ValueStateDescriptor<>("passivated", new PassivatedSegmentSerializer()));
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
    head.forget();
    passivated.forget();
    blocks.forget();
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
    SegmentHeader value = head.get();
    blocks.isComplete |= value == null; // a segment without a header has no blocks
    return value;
  }

  @Override
  public void putHead(SegmentHeader value) {
    head.put(value);
  }

  @Override
  public void removeHead() {
    head.put(null);
  }

  @Override
  public @Nullable PassivatedSegment passivated() {
    return passivated.get();
  }

  @Override
  public void putPassivated(@Nullable PassivatedSegment left) {
    passivated.put(left);
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
    blocks.clear();
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

  /** Reads a value of the current key once. */
  private static final class ReadOnce<T> {
    private final ValueState<T> state;
    private @Nullable T known;
    private boolean isKnown;

    ReadOnce(RuntimeContext context, ValueStateDescriptor<T> descriptor) {
      state = context.getState(descriptor);
    }

    void forget() {
      isKnown = false;
    }

    @Nullable T get() {
      if (!isKnown) {
        know(read(state::value));
      }
      return known;
    }

    /** Stores a value; null removes it. */
    void put(@Nullable T value) {
      know(value);
      write(() -> state.update(value));
    }

    private void know(@Nullable T value) {
      known = value;
      isKnown = true;
    }
  }

  private final class KeyedBlocks implements ModelState {
    /** What was read or written under the current key; null stands for a missing block. */
    private final TreeMap<Long, @Nullable StateBlock> known = new TreeMap<>();

    /** Whether {@link #known} has all blocks. */
    private boolean isComplete;

    void forget() {
      known.clear();
      isComplete = false;
    }

    @Override
    public @Nullable StateBlock get(long key) {
      if (!isComplete && !known.containsKey(key)) {
        known.put(key, read(() -> model.get(key)));
      }
      return known.get(key);
    }

    @Override
    public void put(long key, StateBlock stateBlock) {
      known.put(key, stateBlock);
      write(() -> model.put(key, stateBlock));
    }

    @Override
    public void remove(long key) {
      known.put(key, null);
      write(() -> model.remove(key));
    }

    @Override
    public Iterable<Map.Entry<Long, StateBlock>> entries() {
      if (!isComplete) {
        write(() -> model.entries().forEach(it -> known.putIfAbsent(it.getKey(), it.getValue())));
        isComplete = true;
      }
      known.values().removeIf(Objects::isNull);
      return Collections.unmodifiableMap(known).entrySet();
    }

    /** Removes all blocks, those that {@link #entries} has listed without another scan. */
    void clear() {
      if (isComplete) {
        entries().forEach(block -> write(() -> model.remove(block.getKey())));
      } else {
        model.clear();
      }
      known.clear();
      isComplete = true;
    }
  }
}
