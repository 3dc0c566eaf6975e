package io.equipoise.segment;

import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.segment.state.CompiledSpec;
import java.util.Objects;

/**
 * The shop of {@link OfferTraffic} through the segment machine, restored from its bytes at every
 * access, until its experiment has served a while.
 */
public final class OfferRun {
  private static final int MOST_VISITORS = 60_000;
  private static final int ENOUGH_SERVED = 50;

  public final RecordedLog log = new RecordedLog();
  public final CompiledSpec spec;
  final TestBook book;
  final ByteSegmentState state = new ByteSegmentState();
  int contexts;
  int rewards;
  private final SegmentMachine machine;
  private int served;

  /** Plays a spec. */
  public OfferRun(String text, long seed) {
    book = new TestBook().publish(text);
    spec = Objects.requireNonNull(book.select(Scenario.SEGMENT));
    machine = new SegmentMachine(book, () -> Scenario.ORIGIN_MILLIS, 0);
    OfferTraffic traffic = new OfferTraffic(seed, Scenario.SEGMENT);
    long now = Scenario.ORIGIN_MILLIS;
    for (int i = 0; i < MOST_VISITORS && !hasServed(); i++) {
      now += 150;
      traffic.visit(now).forEach(sent -> take(sent, traffic));
      passTo(now - 5_000);
    }
  }

  /** Says whether the experiment came to its end, and the segment served on. */
  boolean hasServed() {
    return served >= ENOUGH_SERVED;
  }

  private void take(OfferTraffic.Sent sent, OfferTraffic traffic) {
    if (sent instanceof OfferTraffic.Visit visit) {
      contexts++;
      int before = log.decisions.size();
      machine.onContext(visit.event(), state, log);
      for (Decision decision : log.decisions.subList(before, log.decisions.size())) {
        served += decision.reason() == DecisionReason.RECOMMENDED ? 1 : 0;
        traffic.show(decision);
      }
    } else {
      rewards++;
      machine.onReward(((OfferTraffic.Outcome) sent).event(), state, log);
    }
  }

  private void passTo(long time) {
    for (Long due = state.pollTimer(time); due != null; due = state.pollTimer(time)) {
      machine.onTimer(due, Scenario.SEGMENT, state, log);
    }
  }
}
