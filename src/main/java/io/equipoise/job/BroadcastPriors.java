package io.equipoise.job;

import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorKey;
import io.equipoise.event.Wire;
import io.equipoise.join.PriorBook;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;

/**
 * The rows of prior bounds in broadcast state, and the shelf that is built from them. A row that
 * the shelf does not take is not kept. A retired one is kept, marked, for the segments that run
 * with its set.
 */
final class BroadcastPriors {
  /** Framed rows by key of the priors topic. */
  static final MapStateDescriptor<String, byte[]> STATE =
      new MapStateDescriptor<>(
          "priors", StringSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

  /** Begins the key of the mark of a retired row; no set's name has a slash in front. */
  private static final String RETIRED = "/retired/";

  private final PriorShelf shelf = new PriorShelf();

  /** Builds the shelf: rows first, since a row that comes is not retired any more. */
  BroadcastPriors(BroadcastState<String, byte[]> state) throws Exception {
    for (Map.Entry<String, byte[]> row : state.immutableEntries()) {
      if (!row.getKey().startsWith(RETIRED)) {
        PriorBound bound = Wire.PRIOR.decode(row.getValue());
        shelf.put(PriorKey.of(bound), bound);
      }
    }
    for (Map.Entry<String, byte[]> mark : state.immutableEntries()) {
      if (mark.getKey().startsWith(RETIRED)) {
        PriorKey.parse(mark.getKey().substring(RETIRED.length())).ifPresent(shelf::retire);
      }
    }
  }

  /** Retires the rows whose keys are not on their topic any more. */
  void retireOthers(BroadcastState<String, byte[]> state, Set<String> onTopic) throws Exception {
    if (onTopic.isEmpty()) {
      return;
    }
    List<String> others = new ArrayList<>();
    for (Map.Entry<String, byte[]> row : state.immutableEntries()) {
      if (!row.getKey().startsWith(RETIRED) && !onTopic.contains(row.getKey())) {
        others.add(row.getKey());
      }
    }
    for (String key : others) {
      PriorKey.parse(key).ifPresent(shelf::retire);
      state.put(RETIRED + key, new byte[0]);
    }
  }

  PriorBook book() {
    return shelf;
  }

  /** Takes a record that passed the gate; returns why not, where its set does not allow it. */
  Optional<String> put(BroadcastState<String, byte[]> state, PriorRecord record) throws Exception {
    PriorRecord.Content content = record.read();
    byte[] value = record.raw().value();
    if (content instanceof PriorRecord.Retirement retirement) {
      shelf.retire(retirement.key());
      state.put(RETIRED + retirement.key().text(), new byte[0]);
    } else if (content instanceof PriorRecord.Row row && value != null) {
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
