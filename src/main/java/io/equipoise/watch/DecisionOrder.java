package io.equipoise.watch;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;

/**
 * Hands decisions on in their order, each when its reward is known or will never come and all
 * before it were handed on. So nothing is assumed of delays (docs/math/watch.md#order).
 *
 * @param <T> what waits
 */
final class DecisionOrder<T> {
  private final Map<Long, T> waiting = new LinkedHashMap<>();

  /** Rewards of those that wait for an earlier decision only; NaN if none will come. */
  private final Map<Long, Double> rewards = new HashMap<>();

  void decided(long seq, T decision) {
    waiting.put(seq, decision);
  }

  /**
   * Settles a decision; ignores one that does not wait.
   *
   * @param seq of the decision
   * @param reward NaN if none will come
   * @param counted takes the decisions that are free now, and their rewards
   */
  void settled(long seq, double reward, ObjDoubleConsumer<T> counted) {
    if (waiting.containsKey(seq)) {
      rewards.putIfAbsent(seq, reward);
      handOn(counted);
    }
  }

  void dropOldest(ObjDoubleConsumer<T> counted) {
    waiting.remove(waiting.keySet().iterator().next());
    handOn(counted);
  }

  private void handOn(ObjDoubleConsumer<T> counted) {
    Iterator<Map.Entry<Long, T>> rows = waiting.entrySet().iterator();
    while (rows.hasNext()) {
      Map.Entry<Long, T> oldest = rows.next();
      Double reward = rewards.remove(oldest.getKey());
      if (reward == null) {
        return;
      }
      rows.remove();
      counted.accept(oldest.getValue(), reward);
    }
  }

  int pending() {
    return waiting.size();
  }
}
