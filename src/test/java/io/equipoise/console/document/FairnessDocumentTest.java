package io.equipoise.console.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.console.Logs;
import io.equipoise.console.Rewritten;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.AuditConclusion;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.GroupMean;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.http.Json;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.evaluate.LoggedRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FairnessDocumentTest {
  private static final Map<AuditEffectKind, Double> LIMITS =
      Map.of(AuditEffectKind.DIRECT, .37, AuditEffectKind.INDIRECT, .69);

  /** Returns an audit record as one of another kind, with its limit; other records as they are. */
  private static LogRecord ofKind(LogRecord at, AuditEffectKind kind) {
    if (at.slice().topic() != LogTopic.AUDIT) {
      return at;
    }
    FairnessAudit audit = Wire.AUDIT.decode(at.value());
    return Logs.withValue(
        at,
        Wire.AUDIT.encode(
            Rewritten.with(
                FairnessAudit.class,
                audit,
                "effect",
                Rewritten.with(AuditedEffect.class, audit.effect(), "kind", kind),
                "conclusion",
                Rewritten.with(
                    AuditConclusion.class, audit.conclusion(), "threshold", LIMITS.get(kind)))));
  }

  @Test
  void aGroupWithoutARewardHasNoMean() {
    MemoryLog log = Logs.run("offers", 150).log;
    long end = LoggedRun.START + 150_000;
    Aggregator aggregator = new Aggregator(TimeAxis.of(Duration.ofHours(1)), Limits.DEFAULT);
    List<GroupMean> means =
        List.of(new GroupMean("gender", "f", 0, 0), new GroupMean("gender", "m", 7, 0));
    Logs.outputs(
        log,
        at -> {
          byte[] value = at.value();
          if (at.slice().topic() == LogTopic.METRICS) {
            SegmentMetrics metrics = Wire.METRICS.decode(value);
            value =
                Wire.METRICS.encode(
                    Rewritten.with(
                        SegmentMetrics.class,
                        metrics,
                        "groups",
                        metrics.groups().with(means, null, 0)));
          }
          Logs.pass(aggregator, Logs.withValue(at, value), end);
        });
    SegmentDocument document =
        new SegmentDocument(aggregator, Objects.requireNonNull(aggregator.segment("offers")), end);
    JsonNode json = Json.node(document.json(Logs.SPEC.spec(), null, 1));
    for (String place : List.of("/snapshot/groups/means", "/fairness/attributes/0/groups")) {
      JsonNode groups = json.at(place);
      assertEquals("f", groups.at("/0/level").asText(), json::toString);
      assertTrue(groups.at("/0/mean").isNull(), groups::toString);
      assertEquals(0, groups.at("/1/mean").doubleValue(), groups::toString);
      assertTrue(groups.at("/1/mean").isNumber(), groups::toString);
    }
  }

  @Test
  void everyKindHasItsLimit() {
    MemoryLog log = Logs.run("offers", 40).log;
    long end = LoggedRun.START + 40_000;
    Aggregator aggregator = new Aggregator(TimeAxis.of(Duration.ofHours(1)), Limits.DEFAULT);
    for (AuditEffectKind kind : LIMITS.keySet()) {
      Logs.outputs(log, at -> Logs.pass(aggregator, ofKind(at, kind), end));
    }
    SegmentSpec plain = Logs.SPEC.spec();
    SegmentSpec byKind =
        SpecParser.parse(
            plain.text().replaceFirst("tau: *[0-9.]+", "tau: {direct: 0.37, indirect: 0.69}"));
    SegmentDocument document =
        new SegmentDocument(aggregator, Objects.requireNonNull(aggregator.segment("offers")), end);
    JsonNode fairness = Json.node(document.json(byKind, null, 1)).get("fairness");
    assertEquals("direct 0.37, indirect 0.69", fairness.path("limitsText").asText());
    JsonNode one = Json.node(document.json(plain, null, 1)).get("fairness");
    assertTrue(one.path("limitsText").isNull(), one::toString);
    JsonNode pairs = fairness.at("/attributes/0/pairs");
    assertTrue(pairs.size() >= 2, pairs::toString);
    for (JsonNode pair : pairs) {
      double limit = LIMITS.get(AuditEffectKind.valueOf(pair.path("kind").asText()));
      assertEquals(limit, pair.path("limit").asDouble());
      pair.path("effects")
          .forEach(it -> assertEquals(limit, it.path("threshold").asDouble(), it.toString()));
    }
  }
}
