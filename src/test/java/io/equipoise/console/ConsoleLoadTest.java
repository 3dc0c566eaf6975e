package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.Tier;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.console.document.OverviewDocument;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.tools.evaluate.LoggedRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Many segments at once: the aggregator stays within its memory, and counts every decision. */
@Tag("slow")
@Isolated("measures the heap of the JVM")
class ConsoleLoadTest {
  private static final TimeAxis AXIS = TimeAxis.of(Duration.ofHours(1));
  private static final long MOST_BYTES = 400L << 20;
  private static final int DECISIONS_OF_SEGMENT = 240;

  private final LoggedRun run = Logs.run("offers", DECISIONS_OF_SEGMENT);
  private final Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);

  @Test
  void aThousandSegmentsFitIntoTheMemory() {
    int segments = Tier.count(5, 1_000);
    long before = usedBytes();
    long end = LoggedRun.START + AXIS.historyMillis();
    long records = 0;
    for (int segment = 0; segment < segments; segment++) {
      records += pass("segment-" + segment, end);
    }
    long now = end;
    long started = System.nanoTime();
    JsonNode overview =
        new OverviewDocument(aggregator).json(OverviewDocument.Query.first(), now).node();
    long millis = (System.nanoTime() - started) / 1_000_000;
    long bytes = usedBytes() - before;
    Tier.found(ConsoleLoadTest.class, "retained MB of " + segments + " segments", bytes >> 20);
    Tier.found(ConsoleLoadTest.class, "overview ms", millis);
    Tier.found(ConsoleLoadTest.class, "records", records);
    assertEquals(segments, overview.at("/totals/segments").asInt());
    assertEquals(
        DECISIONS_OF_SEGMENT,
        overview.at("/rows/0/decisions/window").asInt(),
        () -> overview.get("rows").get(0).toString());
    assertTrue(bytes < MOST_BYTES, bytes + " bytes");
  }

  /** Spreads the records of the run over the whole window, under another segment's name. */
  private long pass(String segment, long now) {
    long records = 0;
    byte[] key = segment.getBytes(StandardCharsets.UTF_8);
    for (LogTopic topic :
        List.of(LogTopic.DECISIONS, LogTopic.AUDIT, LogTopic.SEGMENT_EVENTS, LogTopic.METRICS)) {
      for (LogRecord at : run.log.records(topic, 1)) {
        long offset = at.timestamp() - LoggedRun.START;
        long time =
            LoggedRun.START
                + AXIS.bucketMillis()
                + offset * (AXIS.historyMillis() - 60_000) / 250_000;
        byte[] value = renamed(topic, at.value(), segment);
        Logs.pass(
            aggregator,
            new LogRecord(at.slice(), at.offset(), Math.min(time, now - 1), key, value),
            now);
        records++;
      }
    }
    return records;
  }

  private static byte[] renamed(LogTopic topic, byte[] value, String segment) {
    return switch (topic) {
      case DECISIONS ->
          Wire.DECISION.encode(
              Rewritten.with(Decision.class, Wire.DECISION.decode(value), "segment", segment));
      case AUDIT ->
          Wire.AUDIT.encode(
              Rewritten.with(FairnessAudit.class, Wire.AUDIT.decode(value), "segment", segment));
      case SEGMENT_EVENTS ->
          Wire.SEGMENT_EVENT.encode(
              Rewritten.with(
                  SegmentEvent.class, Wire.SEGMENT_EVENT.decode(value), "segment", segment));
      default ->
          Wire.METRICS.encode(
              Rewritten.with(SegmentMetrics.class, Wire.METRICS.decode(value), "segment", segment));
    };
  }

  private static long usedBytes() {
    for (int round = 0; round < Tier.count(1, 3); round++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
