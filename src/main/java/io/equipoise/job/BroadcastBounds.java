package io.equipoise.job;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.Wire;
import io.equipoise.join.BoundsRegistry;
import java.util.ArrayList;
import java.util.List;
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

  /** Begins the key of the mark of a retired row; no set's name has a slash in front. */
  private static final String RETIRED = "/retired/";

  private final BroadcastBoundsRegistry shelf = new BroadcastBoundsRegistry();

  /** Builds the shelf: rows first, since a row that comes is not retired any more. */
  BroadcastBounds(BroadcastState<String, byte[]> state) throws Exception {
    for (Map.Entry<String, byte[]> row : state.immutableEntries()) {
      if (!row.getKey().startsWith(RETIRED)) {
        CausalBound bound = Wire.CAUSAL_BOUND.decode(row.getValue());
        shelf.put(CausalBoundKey.of(bound), bound);
      }
    }
    for (Map.Entry<String, byte[]> mark : state.immutableEntries()) {
      if (mark.getKey().startsWith(RETIRED)) {
        CausalBoundKey.parse(mark.getKey().substring(RETIRED.length())).ifPresent(shelf::retire);
      }
    }
  }

  /** Retires the rows whose keys are not on their topic any more. */
  void retireOthers(BroadcastState<String, byte[]> state, @Nullable Set<String> onTopic)
      throws Exception {
    if (onTopic == null) {
      return;
    }
    List<String> others = new ArrayList<>();
    for (Map.Entry<String, byte[]> row : state.immutableEntries()) {
      if (!row.getKey().startsWith(RETIRED) && !onTopic.contains(row.getKey())) {
        others.add(row.getKey());
      }
    }
    for (String key : others) {
      CausalBoundKey.parse(key).ifPresent(shelf::retire);
      state.put(RETIRED + key, new byte[0]);
    }
  }

  BoundsRegistry book() {
    return shelf;
  }

  /** Takes a record that passed the gate; returns why not, where its set does not allow it. */
  Optional<String> put(BroadcastState<String, byte[]> state, CausalBoundRecord record)
      throws Exception {
    CausalBoundRecord.Content content = record.read();
    byte[] value = record.raw().value();
    if (content instanceof CausalBoundRecord.Retirement retirement) {
      shelf.retire(retirement.key());
      state.put(RETIRED + retirement.key().text(), new byte[0]);
    } else if (content instanceof CausalBoundRecord.Row row && value != null) {
      Optional<String> fault = shelf.put(row.key(), row.bound());
      if (fault.isEmpty()) {
        state.put(row.key().text(), value);
        state.remove(RETIRED + row.key().text());
      }
      return fault;
    }
    return Optional.empty();
  }
}
