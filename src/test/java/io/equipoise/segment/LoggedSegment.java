package io.equipoise.segment;

import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import java.util.List;

/**
 * The records of one segment that took one decision among the arms of its spec.
 *
 * @param decision the decision
 * @param events the segment's other records
 */
public record LoggedSegment(Decision decision, List<SegmentEvent> events) {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  /** Runs a segment under a policy of the test spec, whose arms are A=left and A=right. */
  public static LoggedSegment of(String policy) {
    String spec = TestSpecs.text(policy, 1, JOIN, "{range: [0, 1]}", "reject");
    Scenario scenario = Scenario.under(spec).context("d1", 0);
    return new LoggedSegment(scenario.log.decisions.get(0), scenario.log.segmentEvents);
  }
}
