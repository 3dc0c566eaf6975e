package io.equipoise.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hands decisions on in their order, each when its reward is known or will never come and all
 * before it were handed on. So nothing is assumed of delays (docs/math/watch.md#order).
 *
 * @param <T> what waits
 */
final class DecisionOrder<T> {
  private final Deque<OrderedRow<T>> waiting = new ArrayDeque<>();
  private final Map<Long, OrderedRow<T>> bySeq = new HashMap<>();

  /** A decision; its reward is NaN if none will come. */
  static final class OrderedRow<T> {
    final long seq;
    final T decision;
    private boolean isSettled;
    private double reward = Double.NaN;

    private OrderedRow(long seq, T decision) {
      this.seq = seq;
      this.decision = decision;
    }

    double reward() {
      return reward;
    }
  }

  void decided(long seq, T decision) {
    OrderedRow<T> row = new OrderedRow<>(seq, decision);
    waiting.add(row);
    bySeq.put(seq, row);
  }

  /**
   * Settles a decision; ignores one that does not wait.
   *
   * @param seq of the decision
   * @param reward NaN if none will come
   * @param counted takes the decisions that are free now
   */
  void settled(long seq, double reward, Consumer<OrderedRow<T>> counted) {
    OrderedRow<T> settled = bySeq.remove(seq);
    if (settled == null) {
      return;
    }
    settled.isSettled = true;
    settled.reward = reward;
    handOn(counted);
  }

  /** Drops the oldest decision, which is never handed on. */
  void dropOldest(Consumer<OrderedRow<T>> counted) {
    bySeq.remove(waiting.remove().seq);
    handOn(counted);
  }

  private void handOn(Consumer<OrderedRow<T>> counted) {
    for (OrderedRow<T> head = waiting.peek();
        head != null && head.isSettled;
        head = waiting.peek()) {
      waiting.remove();
      counted.accept(head);
    }
  }

  /** Returns how many decisions wait. */
  int pending() {
    return waiting.size();
  }
}
