package io.equipoise.simulation;

import io.equipoise.event.RewardEvent;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.MemorySegmentState;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Holds rewards of one simulated segment that arrive later: the machine gets them in the order of
 * event time, then of offset, with the timers between them.
 */
public final class DueRewards {
  private final SegmentMachine machine;
  private final String segment;
  private final MemorySegmentState state;
  private final OutputLog out;
  private final PriorityQueue<RewardEvent> due =
      new PriorityQueue<>(
          Comparator.comparingLong(RewardEvent::eventTime)
              .thenComparingLong(reward -> reward.origin().offset()));

  /** Starts without rewards. */
  public DueRewards(
      SegmentMachine machine, String segment, MemorySegmentState state, OutputLog out) {
    this.machine = machine;
    this.segment = segment;
    this.state = state;
    this.out = out;
  }

  /** Adds a reward that arrives at its event time. */
  public void add(RewardEvent reward) {
    due.add(reward);
  }

  /**
   * Delivers the rewards up to a time, and the timers before it.
   *
   * @param time event time, ms
   */
  public void deliver(long time) {
    for (RewardEvent next = due.peek();
        next != null && next.eventTime() <= time;
        next = due.peek()) {
      due.poll();
      fireTimers(next.eventTime() - 1);
      machine.onReward(next, state, out);
    }
    fireTimers(time - 1);
  }

  private void fireTimers(long time) {
    for (Long next = state.pollTimer(time); next != null; next = state.pollTimer(time)) {
      machine.onTimer(next, segment, state, out);
    }
  }
}
