package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.console.document.DecisionDocument;
import io.equipoise.console.document.DecisionRecords;
import io.equipoise.console.document.SegmentDocument;
import io.equipoise.console.report.Period;
import io.equipoise.console.report.ReportFigures;
import io.equipoise.console.report.ReportPage;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.StoredRecord;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.http.Json;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segment.TestBounds;
import io.equipoise.tools.evaluate.LoggedRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Report and console of a job that redacts, where every decision is unfair. */
class RedactedRecordsTest {
  private static final int DECISIONS = 120;
  private static final long END = LoggedRun.START + DECISIONS * 1_000L;
  private static final List<LogRecord> RECORDS = records();
  private static final CausalBoundSet BOUNDS =
      TestBounds.of(1, row("offer=large", "f"), row("offer=large", "m"), row("offer=small", "f"));

  private static List<LogRecord> records() {
    List<LogRecord> records = new ArrayList<>();
    Logs.outputs(Logs.run("offers", DECISIONS).log, at -> records.add(Logs.redacted(unfair(at))));
    return records;
  }

  private static LogRecord unfair(LogRecord at) {
    if (at.slice().topic() != LogTopic.AUDIT) {
      return at;
    }
    FairnessAudit audit = Wire.AUDIT.decode(at.value());
    assertTrue(audit.effect().factual() != null && audit.effect().estimate() != null);
    return Logs.withValue(
        at,
        Wire.AUDIT.encode(
            Rewritten.with(FairnessAudit.class, audit, "verdict", AuditVerdict.UNFAIR)));
  }

  @Test
  void theReportCountsUnfairDecisionsAndShowsNoEffectAndNoGroup() {
    MemoryLog log = new MemoryLog();
    RECORDS.forEach(
        at ->
            log.append(
                at.slice().topic(), at.slice().partition(), at.timestamp(), at.key(), at.value()));
    Period period = new Period(LoggedRun.START - 1, END + 60_000);
    ReportFigures figures = ReportFigures.of(log, "offers", period, 1, 64 << 20);
    String page = ReportPage.of(figures, "d", 0.05, 0);
    assertTrue(
        page.contains("120 of 120 audited decisions (100 %) have an effect that is proven"), page);
    assertTrue(page.contains("effect beyond the limit</td><td>120</td>"), page);
    assertFalse(page.contains("No estimated effect"), page);
    assertFalse(page.contains("None of"), page);
    assertTrue(page.contains("gender (levels are redacted)"), page);
    assertTrue(page.contains("<td>redacted</td><td>redacted</td><td>redacted</td><td>UNFAIR</td>"));
    assertFalse(page.matches("(?s).*<td>(f|m|undisclosed)</td>.*"), page);
    assertFalse(page.contains("<svg"), page);
  }

  private static Aggregator aggregator() {
    Aggregator aggregator = new Aggregator(TimeAxis.of(Duration.ofHours(1)), Limits.DEFAULT);
    RECORDS.forEach(at -> Logs.pass(aggregator, at, END));
    return aggregator;
  }

  @Test
  void theConsoleCountsUnfairDecisionsAndShowsNoEffectAndNoLevel() {
    Aggregator aggregator = aggregator();
    JsonNode shown =
        Json.node(
            new SegmentDocument(
                    aggregator, Objects.requireNonNull(aggregator.segment("offers")), END)
                .json(Logs.SPEC.spec(), null, 1));
    assertEquals(DECISIONS, shown.at("/row/unfair").asInt());
    assertTrue(
        shown.at("/row/attention/0/text").asText().startsWith("120 of 120 decisions"),
        shown.at("/row/attention")::toString);
    assertEquals(DECISIONS, shown.at("/row/hidden").asInt());
    JsonNode pairs = shown.at("/fairness/attributes/0/pairs");
    assertEquals(1, pairs.size(), pairs::toString);
    JsonNode pair = pairs.get(0);
    assertTrue(pair.get("factual").isNull() && pair.get("counterfactual").isNull());
    assertTrue(pair.at("/counts/UNFAIR").asInt() >= DECISIONS, pair.at("/counts")::toString);
    assertEquals(0, pair.at("/counts/FAIR").asInt());
    assertFalse(pair.get("effects").isEmpty());
    for (JsonNode effect : pair.get("effects")) {
      for (String number : List.of("estimate", "lower", "upper", "unsupportedShare", "leverage")) {
        assertTrue(effect.get(number).isNull(), effect::toString);
      }
    }
  }

  @Test
  void anArmWithFewerPeopleThanTheLimitIsLeftOut() {
    List<Long> audits = new ArrayList<>();
    fairness(1)
        .at("/attributes/0/pairs/0/effects")
        .forEach(effect -> audits.add(effect.get("audits").asLong()));
    long most = Collections.max(audits);
    int shown = Math.toIntExact(audits.stream().filter(each -> each == most).count());
    assertTrue(shown < audits.size(), audits::toString);
    JsonNode few = fairness(most);
    assertEquals(shown, few.at("/attributes/0/pairs/0/effects").size());
    assertEquals(audits.size() - shown, few.get("pairsLeftOut").asInt());
  }

  private static JsonNode fairness(long minGroupSize) {
    Aggregator aggregator = aggregator();
    SegmentHistory segment = Objects.requireNonNull(aggregator.segment("offers"));
    return Json.node(
            new SegmentDocument(aggregator, segment, END)
                .json(Logs.SPEC.spec(), null, minGroupSize))
        .get("fairness");
  }

  @Test
  void aDecisionShowsItsVerdictAndNothingOfThePerson() {
    Aggregator aggregator = aggregator();
    List<StoredRecord> stored = aggregator.recent().find("offers", "offers-100");
    DecisionRecords records = DecisionRecords.of(stored).get(0);
    Decision decision = records.decision();
    JsonNode shown =
        Json.node(
            new DecisionDocument(records, decision, Logs.SPEC.spec(), null)
                .json(
                    "MEMORY",
                    END,
                    new WireContext(
                        "offers-100",
                        "offers",
                        0,
                        Map.of("gender", "f", "income", "low"),
                        null,
                        null),
                    "",
                    SensitiveValues.PLAIN));
    assertTrue(shown.at("/context/attributes/0/value").isNull(), shown::toString);
    assertTrue(shown.at("/index").isNull() && shown.at("/mean").isNull(), shown::toString);
    JsonNode fairness = shown.at("/fairness/0");
    assertEquals("UNFAIR", fairness.get("verdict").asText());
    assertTrue(fairness.get("estimate").isNull() && fairness.get("factual").isNull());
    assertTrue(fairness.get("sentence").asText().contains("is redacted"), fairness::toString);
    assertFalse(shown.toString().contains("\"f\""), shown::toString);
  }

  @Test
  void aRowOfBoundsIsNotRefutedOnlyIfNoRecordMayNameIt() {
    LogRecord adopted = event(SegmentEventType.BOUNDS_ADOPTED, BOUNDS.hash());
    LogRecord refuted = event(SegmentEventType.BOUNDS_REFUTED, BOUNDS.hash());
    LogRecord ofOtherSet = event(SegmentEventType.BOUNDS_REFUTED, "0".repeat(32));
    LogRecord redacted = Logs.redacted(refuted);
    assertEquals(List.of("false", "false", "false"), areRefuted(adopted));
    assertEquals(List.of("true", "false", "false"), areRefuted(adopted, refuted));
    assertEquals(List.of("null", "null", "false"), areRefuted(adopted, redacted));
    assertEquals(List.of("true", "null", "false"), areRefuted(adopted, redacted, refuted));
    assertEquals(List.of("false", "false", "false"), areRefuted(ofOtherSet, adopted));
    assertEquals(List.of("true", "null", "null"), areRefuted(refuted), "adopted before");
  }

  private static CausalBound row(String arm, String gender) {
    return TestBounds.row(arm, Map.of("gender", gender, "income", "low"), 0, .5);
  }

  /** Returns an event of a set of bounds; a refutation is of the first row. */
  private static LogRecord event(SegmentEventType type, String boundsHash) {
    LogRecord any =
        RECORDS.stream()
            .filter(it -> it.slice().topic() == LogTopic.SEGMENT_EVENTS)
            .findFirst()
            .orElseThrow();
    CausalBound first = BOUNDS.rows().get(0);
    RefutedBounds refuted =
        type == SegmentEventType.BOUNDS_REFUTED
            ? new RefutedBounds(first.arm(), first.context(), 0.0, .5, .7, .6, .8)
            : null;
    SegmentEvent event =
        Rewritten.with(
            SegmentEvent.class,
            Wire.SEGMENT_EVENT.decode(any.value()),
            "type",
            type,
            "versions.boundsHash",
            boundsHash,
            "adoption",
            null,
            "refutedBounds",
            refuted);
    return Logs.withValue(any, Wire.SEGMENT_EVENT.encode(event));
  }

  /** Returns whether the model page calls each row refuted. */
  private static List<String> areRefuted(LogRecord... events) {
    Aggregator aggregator = new Aggregator(TimeAxis.of(Duration.ofHours(1)), Limits.DEFAULT);
    for (LogRecord event : events) {
      Logs.pass(aggregator, event, END);
    }
    JsonNode rows =
        Json.node(
                new SegmentDocument(
                        aggregator, Objects.requireNonNull(aggregator.segment("offers")), END)
                    .json(Logs.SPEC.spec(), BOUNDS, 1))
            .at("/model/bounds/rows");
    return rows.findValuesAsText("refuted");
  }
}
