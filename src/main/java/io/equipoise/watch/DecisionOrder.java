package io.equipoise.watch;

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
  private final Map<Long, OrderedRow<T>> waiting = new LinkedHashMap<>();

  private static final class OrderedRow<T> {
    private final T decision;
    private boolean isSettled;
    private double reward;

    private OrderedRow(T decision) {
      this.decision = decision;
    }
  }

  void decided(long seq, T decision) {
    waiting.put(seq, new OrderedRow<>(decision));
  }

  /**
   * Settles a decision; ignores one that does not wait.
   *
   * @param seq of the decision
   * @param reward NaN if none will come
   * @param counted takes the decisions that are free now, and their rewards
   */
  void settled(long seq, double reward, ObjDoubleConsumer<T> counted) {
    OrderedRow<T> settled = waiting.get(seq);
    if (settled != null && !settled.isSettled) {
      settled.isSettled = true;
      settled.reward = reward;
      handOn(counted);
    }
  }

  /** Drops the oldest decision, which is never handed on. */
  void dropOldest(ObjDoubleConsumer<T> counted) {
    waiting.remove(waiting.keySet().iterator().next());
    handOn(counted);
  }

  private void handOn(ObjDoubleConsumer<T> counted) {
    Iterator<OrderedRow<T>> rows = waiting.values().iterator();
    while (rows.hasNext()) {
      OrderedRow<T> head = rows.next();
      if (!head.isSettled) {
        return;
      }
      rows.remove();
      counted.accept(head.decision, head.reward);
    }
  }

  int pending() {
    return waiting.size();
  }
}
