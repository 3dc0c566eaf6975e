package io.equipoise.job;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.Wire;
import io.equipoise.job.control.BroadcastBoundsRegistry;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.ControlState;
import io.equipoise.segment.state.BoundsRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Stores the rows of causal bounds in broadcast state and keeps the registry built from them in
 * step. A row that the registry rejects is not stored. A retired row stays, with a mark, for the
 * segments that use its set.
 */
final class BroadcastBounds {
  /** Framed rows by key of the causal-bounds topic. */
  static final MapStateDescriptor<String, byte[]> STATE =
      new MapStateDescriptor<>(
          "causal-bounds", StringSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

  /** Maximum bytes of keys and rows in a subtask, {@link #BYTES_PER_ROW} included for each row. */
  private static final long MOST_BYTES = 256L << 20;

  /** Heap that a row needs in addition to its bytes. */
  private static final int BYTES_PER_ROW = 128;

  private final BroadcastBoundsRegistry registry = new BroadcastBoundsRegistry();
  private final ControlState<byte[]> rows;
  private final long mostBytes;

  /** Builds the registry of a job. */
  BroadcastBounds(BroadcastState<String, byte[]> state) throws Exception {
    this(state, MOST_BYTES);
  }

  /**
   * Builds the registry. Rows are restored before retirements, because a row that arrives is active
   * again.
   */
  BroadcastBounds(BroadcastState<String, byte[]> state, long mostBytes) throws Exception {
    this.mostBytes = mostBytes;
    rows = new ControlState<>(state, row -> row.length, new byte[0], BYTES_PER_ROW, mostBytes);
    for (Map.Entry<String, byte[]> row : state.immutableEntries()) {
      if (!ControlState.isMark(row.getKey())) {
        CausalBound bound = Wire.CAUSAL_BOUND.decode(row.getValue());
        registry.put(CausalBoundKey.of(bound), bound);
      }
    }
    for (Map.Entry<String, byte[]> mark : state.immutableEntries()) {
      if (ControlState.isMark(mark.getKey())) {
        CausalBoundKey.parse(ControlState.keyOfMark(mark.getKey())).ifPresent(registry::retire);
      }
    }
  }

  /** Retires the rows whose keys are no longer on their topic. */
  void retireOthers(BroadcastState<String, byte[]> state, @Nullable Set<String> onTopic)
      throws Exception {
    for (String key : rows.retireOthers(state, onTopic)) {
      CausalBoundKey.parse(key).ifPresent(registry::retire);
    }
  }

  BoundsRegistry book() {
    return registry;
  }

  /** Adds a validated record; returns the reason if its set or the limit rejects it. */
  Optional<InputFault> put(BroadcastState<String, byte[]> state, CausalBoundRecord record)
      throws Exception {
    CausalBoundRecord.Content content = record.read();
    byte[] value = record.raw().value();
    if (content instanceof CausalBoundRecord.Retirement retirement) {
      String key = retirement.key().text();
      if (!rows.hasRoom(state, key, null)) {
        return full();
      }
      registry.retire(retirement.key());
      rows.put(state, key, null);
    } else if (content instanceof CausalBoundRecord.BoundRow row && value != null) {
      String key = row.key().text();
      if (!rows.hasRoom(state, key, value)) {
        return full();
      }
      Optional<String> fault = registry.put(row.key(), row.bound());
      if (fault.isPresent()) {
        return fault.map(why -> new InputFault(ErrorCode.BOUNDS_REJECTED, why));
      }
      rows.put(state, key, value);
    }
    return Optional.empty();
  }

  private Optional<InputFault> full() {
    return Optional.of(
        new InputFault(
            ErrorCode.TOO_MANY_BOUNDS,
            "A subtask keeps at most %d bytes of causal bounds and this row exceeds the limit; retire unused sets"
                .formatted(mostBytes)));
  }
}
