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
 * The rows of causal bounds in broadcast state, and the shelf that is built from them. A row that
 * the shelf does not take is not kept. A retired one is kept, marked, for the segments that run
 * with its set.
 */
final class BroadcastBounds {
  /** Framed rows by key of the causal-bounds topic. */
  static final MapStateDescriptor<String, byte[]> STATE =
      new MapStateDescriptor<>(
          "causal-bounds", StringSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

  /** Bytes of keys and rows that a subtask keeps at most, with {@link #BYTES_PER_ROW} for each. */
  private static final long MOST_BYTES = 256L << 20;

  /** What a row takes on the heap beside its bytes. */
  private static final int BYTES_PER_ROW = 128;

  private final BroadcastBoundsRegistry shelf = new BroadcastBoundsRegistry();
  private final ControlState<byte[]> rows;
  private final long mostBytes;

  /** Builds the shelf of a job. */
  BroadcastBounds(BroadcastState<String, byte[]> state) throws Exception {
    this(state, MOST_BYTES);
  }

  /** Builds the shelf: rows first, since a row that comes is not retired any more. */
  BroadcastBounds(BroadcastState<String, byte[]> state, long mostBytes) throws Exception {
    this.mostBytes = mostBytes;
    rows = new ControlState<>(state, row -> row.length, new byte[0], BYTES_PER_ROW, mostBytes);
    for (Map.Entry<String, byte[]> row : state.immutableEntries()) {
      if (!ControlState.isMark(row.getKey())) {
        CausalBound bound = Wire.CAUSAL_BOUND.decode(row.getValue());
        shelf.put(CausalBoundKey.of(bound), bound);
      }
    }
    for (Map.Entry<String, byte[]> mark : state.immutableEntries()) {
      if (ControlState.isMark(mark.getKey())) {
        CausalBoundKey.parse(ControlState.keyOfMark(mark.getKey())).ifPresent(shelf::retire);
      }
    }
  }

  /** Retires the rows whose keys are not on their topic any more. */
  void retireOthers(BroadcastState<String, byte[]> state, @Nullable Set<String> onTopic)
      throws Exception {
    for (String key : rows.retireOthers(state, onTopic)) {
      CausalBoundKey.parse(key).ifPresent(shelf::retire);
    }
  }

  BoundsRegistry book() {
    return shelf;
  }

  /** Takes a record that passed the gate; returns why not, if its set or the limit forbids it. */
  Optional<InputFault> put(BroadcastState<String, byte[]> state, CausalBoundRecord record)
      throws Exception {
    CausalBoundRecord.Content content = record.read();
    byte[] value = record.raw().value();
    if (content instanceof CausalBoundRecord.Retirement retirement) {
      String key = retirement.key().text();
      if (!rows.hasRoom(state, key, null)) {
        return full();
      }
      shelf.retire(retirement.key());
      rows.put(state, key, null);
    } else if (content instanceof CausalBoundRecord.Row row && value != null) {
      String key = row.key().text();
      if (!rows.hasRoom(state, key, value)) {
        return full();
      }
      Optional<String> fault = shelf.put(row.key(), row.bound());
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
            "A subtask keeps at most %d bytes of causal bounds, and this would be more"
                .formatted(mostBytes)));
  }
}
