package io.equipoise.tools.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.GroupMean;
import io.equipoise.event.SegmentMetrics;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds the result of the demo as in its JSON: the objects of the segments and of the job.
 *
 * @param faults ledger errors, as in the job's object; empty if there are none
 */
record DemoResult(
    @JsonProperty("segments") List<Map<String, Object>> segments,
    @JsonProperty("job") Map<String, Object> job,
    @JsonIgnore List<String> faults) {

  /** Returns whether every ledger balances and every context was decided. */
  boolean isGood() {
    return faults.isEmpty();
  }

  static Map<String, Object> segment(Tally tally) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("segment", tally.segment);
    fields.put("policy", tally.spec.policy().name().wire());
    fields.put("tau", tally.spec.fairness().tau());
    fields.put("rounds", tally.sent);
    fields.put("decided", tally.decided);
    fields.put("joined", tally.applied);
    fields.put("expired", tally.expired);
    fields.put("regret", tally.regret);
    fields.put("unfair", tally.unfair);
    fields.put("certifiedShare", tally.certifiedShare());
    fields.put("fallbacks", tally.fallbacks);
    SegmentMetrics metrics = tally.metrics;
    if (metrics != null) {
      for (GroupMean group : metrics.groups().means()) {
        if (group.rewards() > 0) {
          String name = "meanReward." + group.attribute() + "=" + group.level();
          fields.put(name, group.mean());
        }
      }
    }
    return fields;
  }

  static Map<String, Object> job(
      DemoTraffic traffic, Duration playing, Duration all, int restarts, List<String> faults) {
    Reconciliation books = traffic.books();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("records", books.records());
    fields.put("decisions", traffic.decided());
    fields.put("unanswered", books.unanswered());
    fields.put("ledgersBalance", faults.isEmpty());
    fields.put("faults", faults);
    fields.put("decisionsPerSecond", traffic.decided() * 1000.0 / Math.max(1, playing.toMillis()));
    Long first = traffic.firstDecision();
    if (first != null) {
      long start = ManagementFactory.getRuntimeMXBean().getStartTime();
      fields.put("firstDecisionSeconds", (first - start) / 1000.0); // from the start of Java
    }
    fields.put("latencyP50Millis", traffic.latency(0.5));
    fields.put("latencyP99Millis", traffic.latency(0.99));
    fields.put("restarts", restarts);
    fields.put("seconds", all.toMillis() / 1000.0);
    fields.put("deadLettersExpected", books.expectedDeadLetters());
    fields.put("deadLetters", books.deadLetters().size());
    Map<String, Integer> reasons = new TreeMap<>();
    for (DeadLetter deadLetter : books.deadLetters()) {
      reasons.merge(deadLetter.code(), 1, Integer::sum);
    }
    reasons.forEach((reason, count) -> fields.put("deadLetters." + reason, count));
    return fields;
  }
}
