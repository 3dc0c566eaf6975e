package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.RecordedLog;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.MemorySegmentState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a log counts must be what an honest snapshot says. */
class RecountTest {
  private static final long TIME = 1_700_000_000_000L;
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  /**
   * Another of the request's own arms was shown: the reward is taken in, and nothing is learned.
   */
  @Test
  void aDecisionThatARewardClosedNotLearnableIsNotCountedAsSettled() {
    String spec = TestSpecs.text("linucb", 1, JOIN, "{range: [0, 1]}", "reject");
    SegmentMachine machine = new SegmentMachine(new TestBook().publish(spec), () -> TIME, 0);
    MemorySegmentState state = new MemorySegmentState();
    RecordedLog log = new RecordedLog();
    for (int i = 0; i < 10; i++) {
      machine.onContext(context(i), state, log);
      machine.onReward(reward(i, i % 2 == 0 ? null : "another"), state, log);
    }
    Recount recount = new Recount();
    SegmentMetrics snapshot = log.metrics.get(0);
    log.decisions.forEach(recount::on);
    log.segmentEvents.stream().filter(one -> one.seq() <= snapshot.seq()).forEach(recount::on);
    assertEquals(5, snapshot.decisions().settled());
    assertEquals(4, snapshot.decisions().closedNotLearnable());
    assertEquals("", recount.difference(snapshot));
  }

  private static ContextEvent context(int number) {
    return new ContextEvent(
        "d" + number,
        "s",
        TIME,
        Map.of("S", "a", "X", "low"),
        List.of(new CandidateArm("one", Map.of("A", "left"))),
        null,
        new Origin("contexts", 0, number, TIME),
        new byte[0]);
  }

  private static RewardEvent reward(int number, @Nullable String shown) {
    return new RewardEvent(
        "d" + number,
        null,
        "s",
        TIME,
        0.5,
        Map.of(),
        shown,
        new Origin("rewards", 0, number, TIME),
        new byte[0]);
  }
}
