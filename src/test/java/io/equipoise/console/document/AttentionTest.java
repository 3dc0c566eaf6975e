package io.equipoise.console.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.console.Logs;
import io.equipoise.console.Rewritten;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.tools.evaluate.LoggedRun;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AttentionTest {
  private static final LoggedRun RUN = Logs.run("offers", 150);
  private static final LogRecord SNAPSHOT =
      IntStream.range(0, MemoryLog.PARTITIONS)
          .mapToObj(it -> RUN.log.records(LogTopic.METRICS, it))
          .flatMap(List::stream)
          .findFirst()
          .orElseThrow();

  private static List<String> codes(long settled) {
    SegmentMetrics plain = Wire.METRICS.decode(SNAPSHOT.value());
    SegmentMetrics metrics =
        Rewritten.with(
            SegmentMetrics.class,
            plain,
            "decisions",
            new DecisionLedger(5_175, settled, 0, 0, 0),
            "overlapAlarm",
            true);
    TimeAxis axis = new TimeAxis(10_000);
    Aggregator aggregator = new Aggregator(axis, Limits.DEFAULT);
    Logs.pass(
        aggregator,
        new LogRecord(
            SNAPSHOT.slice(),
            SNAPSHOT.offset(),
            SNAPSHOT.timestamp(),
            SNAPSHOT.key(),
            Wire.METRICS.encode(metrics),
            SNAPSHOT.headers()),
        SNAPSHOT.timestamp());
    SegmentHistory segment = aggregator.segment("offers");
    assertNotNull(segment);
    return Attention.of(segment, axis.bucketOf(SNAPSHOT.timestamp())).stream()
        .filter(it -> it.level().equals("warn"))
        .map(it -> it.code() + " " + it.text())
        .toList();
  }

  /** Without a reward, no comparison is supported, whoever the people are. */
  @Test
  void aMissingRewardIsNamedBeforeTheTraffic() {
    assertEquals(
        List.of(
            "NOTHING_LEARNED No reward has been learned yet. 5,175 decisions wait for the end of"
                + " their window."),
        codes(0));
    assertTrue(codes(1).get(0).startsWith("OVERLAP_ALARM "));
  }
}
