package io.equipoise.job.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.flink.api.common.state.BroadcastState;
import org.jspecify.annotations.Nullable;

/**
 * Stores the values of one control topic in broadcast state, by key, within a limit. Every subtask
 * keeps all of them on its heap, and no restart frees the memory. The used size is derived from the
 * state: counted at the start, and changed with every value.
 *
 * <p>A retired value stays, with a mark, for the segments that use it. So retired keys count toward
 * the limit too. Restored values always stay, even above the limit.
 *
 * @param <V> the values
 */
public final class ControlState<V> {
  /** Prefix of the key that marks a retired key; no key of these topics begins with a slash. */
  private static final String RETIRED = "/retired/";

  private final ToIntFunction<V> size;
  private final V mark;
  private final int perKey;
  private final long most;
  private long used;

  /**
   * Counts the restored values.
   *
   * @param mark the value that marks a retired key, of size 0
   * @param perKey size that each key counts in addition to its own and that of its value
   * @param most limit of the sum over all keys
   */
  public ControlState(
      BroadcastState<String, V> state, ToIntFunction<V> size, V mark, int perKey, long most)
      throws Exception {
    this.size = size;
    this.mark = mark;
    this.perKey = perKey;
    this.most = most;
    for (Map.Entry<String, V> entry : state.immutableEntries()) {
      String key = entry.getKey();
      if (!isMark(key)) {
        used += weight(key, entry.getValue());
      } else if (!state.contains(keyOfMark(key))) {
        used += weight(keyOfMark(key), mark);
      }
    }
  }

  public static boolean isMark(String key) {
    return key.startsWith(RETIRED);
  }

  public static String keyOfMark(String mark) {
    return mark.substring(RETIRED.length());
  }

  static String markOf(String key) {
    return RETIRED + key;
  }

  /** Returns whether the limit allows a value or, if it is null, the retirement of a key. */
  public boolean hasRoom(BroadcastState<String, V> state, String key, @Nullable V value)
      throws Exception {
    long growth = growth(state, key, value);
    return growth <= 0 || used + growth <= most;
  }

  private long growth(BroadcastState<String, V> state, String key, @Nullable V value)
      throws Exception {
    V known = state.get(key);
    if (known == null && state.contains(markOf(key))) {
      known = mark;
    }
    if (known == null) {
      return weight(key, value == null ? mark : value);
    }
    return value == null ? 0 : weight(key, value) - weight(key, known);
  }

  /** Stores a value or, if it is null, the retirement mark of a key. */
  public void put(BroadcastState<String, V> state, String key, @Nullable V value) throws Exception {
    used += growth(state, key, value);
    if (value == null) {
      state.put(markOf(key), mark);
    } else {
      state.put(key, value);
      state.remove(markOf(key));
    }
  }

  /**
   * Retires the keys that are no longer on their topic.
   *
   * @param onTopic null if unknown: then nothing is retired
   * @return the retired keys
   */
  public List<String> retireOthers(BroadcastState<String, V> state, @Nullable Set<String> onTopic)
      throws Exception {
    List<String> others = new ArrayList<>();
    if (onTopic == null) {
      return others;
    }
    for (Map.Entry<String, V> entry : state.immutableEntries()) {
      if (!isMark(entry.getKey()) && !onTopic.contains(entry.getKey())) {
        others.add(entry.getKey());
      }
    }
    for (String key : others) {
      put(state, key, null);
    }
    return others;
  }

  private long weight(String key, V value) {
    return (long) perKey + key.length() + size.applyAsInt(value);
  }
}
