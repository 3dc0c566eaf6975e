package io.equipoise.console.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.console.Logs;
import io.equipoise.console.Rewritten;
import io.equipoise.console.state.StoredRecord;
import io.equipoise.event.AuditConclusion;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Place;
import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.policy.TestSpec;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.tools.evaluate.LoggedRun;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class DecisionDocumentTest {
  private static final LoggedRun RUN = Logs.run("offers", 10);
  private static final Decision DECISION = RUN.decisions.get(0);
  private static final FairnessAudit AUDIT =
      Wire.AUDIT.decode(RUN.log.records(LogTopic.AUDIT, 1).get(0).value());

  private static FairnessAudit audit(Double estimate, Double lower, Double upper) {
    AuditedEffect effect =
        Rewritten.with(
            AuditedEffect.class,
            AUDIT.effect().withLevels("m", "f"),
            "estimate",
            estimate,
            "lower",
            lower,
            "upper",
            upper);
    return Rewritten.with(
        FairnessAudit.class,
        AUDIT,
        "effect",
        effect,
        "threshold",
        0.3,
        "verdict",
        AuditVerdict.FAIR);
  }

  @Test
  void anEffectIsSaidInWords() {
    assertEquals(
        "Had this person's gender been f instead of m, the expected reward of this arm would be"
            + " 0.02 lower; we are 95 % sure that it is between 0.05 lower and 0.01 higher; the"
            + " limit is 0.30.",
        Wording.sentence(audit(-0.02, -0.05, 0.01), 0.05, null));
  }

  @Test
  void eachKindOfEffectHasASentenceOfItsOwn() {
    FairnessAudit total = audit(-0.02, -0.05, 0.01);
    String rest =
        ", the expected reward of this arm would be 0.02 lower; we are 95 % sure that it is between"
            + " 0.05 lower and 0.01 higher; the limit is 0.30.";
    assertEquals(
        "Had this person's gender been f instead of m and all that follows from it as it is" + rest,
        Wording.sentence(of(total, AuditEffectKind.DIRECT), 0.05, spec("f-ucb", "S -> M M -> R")));
    assertEquals(
        "Had only what follows from this person's gender been as if that were f instead of m"
            + rest,
        Wording.sentence(of(total, AuditEffectKind.INDIRECT), 0.05, null));
  }

  private static SegmentSpec spec(String policy, String edges) {
    TestSpec spec =
        TestSpec.spec()
            .variable("S", "sensitive", 2)
            .variable("X", "context", 2)
            .variable("A", "action", 2)
            .variable("M", "mediator", 2)
            .graph(edges + " A -> R X -> R")
            .policy("name: " + policy)
            .fairness(
                policy.startsWith("oam")
                    ? "tau: 0.3, delta: 0.05"
                    : "tau: {direct: 0.3}, delta: 0.05")
            .reward("range: [0, 1]");
    return policy.equals("f-ucb")
        ? spec.cpt("M", "S", "['0', .5, .5], ['1', .5, .5]").build()
        : spec.build();
  }

  /** Mediators come after the decision, so no regression shows them. */
  @Test
  void aDirectEffectOfARegressionNamesTheMediatorsThatItMoves() {
    for (String policy : List.of("linucb", "glm-ucb", "oam, horizon: 20")) {
      String free = "S -> M M -> R";
      assertEquals(List.of("M"), spec(policy, free).followers("S"), policy);
      assertEquals(List.of("M"), spec(policy, free).followers("X*S"), policy);
      assertEquals(List.of(), spec(policy, free).followers("X"), policy);
      assertEquals(List.of(), spec(policy, "S -> X X -> M M -> R").followers("S"), "X stays");
      assertEquals(List.of(), spec(policy, "S -> M S -> R").followers("S"), "no path to R");
    }
    SegmentSpec cells = spec("f-ucb", "S -> M M -> R");
    assertEquals(List.of(), cells.followers("S"), "mediators of cells stay");
    SegmentSpec spec = spec("linucb", "S -> M M -> R");
    assertEquals("S, and M after the decision", Wording.kind(AuditEffectKind.DIRECT, "S", spec));
    assertEquals("S alone", Wording.kind(AuditEffectKind.DIRECT, "S", cells));
    assertEquals(
        "S, all else known before the decision being equal",
        Wording.kind(AuditEffectKind.DIRECT, "S", null));
    FairnessAudit audit = of(audit(-0.02, -0.05, 0.01), AuditEffectKind.DIRECT);
    FairnessAudit ofS =
        Rewritten.with(
            FairnessAudit.class,
            audit,
            "effect",
            Rewritten.with(AuditedEffect.class, audit.effect(), "attribute", "S"));
    String sentence = Wording.sentence(ofS, 0.05, spec);
    assertTrue(
        sentence.startsWith(
            "Had this person's S been f instead of m and all else that is known before the decision"
                + " as it is, while it moves M, the expected reward"),
        sentence);
    assertTrue(
        Wording.sentence(ofS, 0.05, null).contains("decision as it is, the"), "unknown spec");
  }

  private static FairnessAudit of(FairnessAudit audit, AuditEffectKind kind) {
    return Rewritten.with(
        FairnessAudit.class,
        audit,
        "effect",
        Rewritten.with(AuditedEffect.class, audit.effect(), "kind", kind));
  }

  /** Of several effects one excludes an arm, and its audit has them all. */
  @Test
  void anArmIsNotCalledUncertainByAnEffectWithinTheLimit() {
    var excluded = new ExcludedCandidate("a", 0.5, AuditVerdict.UNCERTAIN, 0.0, -0.09, 0.1);
    assertEquals(
        "a might have paid more (up to 0.50), but its effect is not known well enough: between"
            + " -0.09 and 0.10.",
        Wording.excluded(excluded, 0.05));
    assertEquals(
        "a might have paid more (up to 0.50), but another of its effects is not known well enough;"
            + " this one is within the limit: between -0.09 and 0.10.",
        Wording.excluded(excluded, 0.15));
  }

  /** The estimate is then what the model assumes of people whom it has not seen. */
  @Test
  void anEffectThatNoTrafficShowsIsNotSaidToBeNothing() {
    FairnessAudit unseen =
        Rewritten.with(
            FairnessAudit.class, audit(0.0, -0.5, 0.5), "verdict", AuditVerdict.NO_OVERLAP);
    assertEquals(
        "Had this person's gender been f instead of m, the traffic does not show what the expected"
            + " reward of this arm would be; we are 95 % sure that it is between 0.50 lower and"
            + " 0.50 higher; the limit is 0.30.",
        Wording.sentence(unseen, 0.05, null));
  }

  /** At a rate of 4 % two digits would say that 0.035 and 0.044 are equal. */
  @Test
  void aNumberHasTheDigitsThatItsSizeNeeds() {
    assertEquals("0.0412", Wording.number(0.04123));
    assertEquals("-0.04", Wording.number(-0.04));
    assertEquals("0.055", Wording.number(0.055));
    assertEquals("0.33", Wording.number(1 / 3.0));
    assertEquals("12.50", Wording.number(12.5));
    assertEquals("2.0e-03", Wording.number(0.002));
    assertEquals("0.00", Wording.number(0));
  }

  @Test
  void anIntervalWithoutAGuaranteeClaimsNone() {
    FairnessAudit none =
        Rewritten.with(
            FairnessAudit.class, audit(0.02, -0.05, 0.1), "guarantee", AuditGuarantee.NONE);
    String sentence = Wording.sentence(none, 0.05, null);
    assertFalse(sentence.contains("sure"), sentence);
    assertTrue(sentence.contains("without a guarantee"), sentence);
  }

  @Test
  void theTimelineShowsTheRewardThatArrived() {
    SegmentEvent learned =
        RUN.log.records(LogTopic.SEGMENT_EVENTS, 1).stream()
            .map(record -> Wire.SEGMENT_EVENT.decode(record.value()))
            .filter(event -> event.type() == SegmentEventType.REWARD_APPLIED)
            .findFirst()
            .orElseThrow();
    String text = Wording.event(learned, learned.eventTime() - 2_000);
    String reward = Wording.number(learned.observedReward());
    assertEquals("A reward of %s arrived after 2 s and was learned.".formatted(reward), text);
  }

  @Test
  void redactedNumbersAreNotGuessed() {
    FairnessAudit redacted = AUDIT.withoutNumbers();
    assertTrue(Wording.sentence(redacted, 0.05, null).contains("is redacted"));
  }

  @Test
  void sensitiveValuesOfTheContextAreShownOnlyWhereTheyArePlain() {
    JsonNode plain = attribute(SensitiveValues.PLAIN, "gender");
    assertEquals("secret", plain.get("value").asText());
    for (SensitiveValues other : List.of(SensitiveValues.PSEUDONYMIZE, SensitiveValues.REDACT)) {
      JsonNode redacted = attribute(other, "gender");
      assertTrue(redacted.get("value").isNull(), redacted::toString);
      assertTrue(redacted.get("redacted").asBoolean());
      assertEquals("low", attribute(other, "income").get("value").asText());
      assertFalse(document(other).toString().contains("secret"));
    }
    assertFalse(document(SensitiveValues.PLAIN).toString().contains("undeclared"));
  }

  /** A console that was started without the job's configuration has the default option. */
  @Test
  void whatTheRecordsRedactIsHiddenWhateverTheOptionSays() {
    Decision redacted =
        Rewritten.with(
            Decision.class, DECISION, "redaction", new Redaction(RedactionMode.REDACT, null, null));
    Decision refused = Rewritten.with(Decision.class, DECISION, "reason", DecisionReason.REJECTED);
    for (Decision decision : List.of(redacted, refused)) {
      JsonNode document = document(decision, SensitiveValues.PLAIN);
      assertFalse(document.toString().contains("secret"), document::toString);
      assertTrue(document.at("/context/text").asText().contains("redacts"), document::toString);
    }
  }

  /** The page of a decision needs no change for a new field of the audit. */
  @Test
  void aDocumentHasEveryFieldOfTheAudit() {
    JsonNode shown = document(DECISION, SensitiveValues.PLAIN, stored(AUDIT)).at("/fairness/0");
    Set<String> flat = Set.of("effect", "place", "versions", "conclusion");
    for (Class<?> type :
        List.of(
            FairnessAudit.class,
            AuditedEffect.class,
            AuditConclusion.class,
            Place.class,
            Versions.class)) {
      for (RecordComponent field : type.getRecordComponents()) {
        assertEquals(!flat.contains(field.getName()), shown.has(field.getName()), field::getName);
      }
    }
    assertEquals(AUDIT.specVersion(), shown.get("specVersion").longValue());
  }

  @Test
  void aRedactedNumberIsNullAndNotZeroInTheDocument() {
    FairnessAudit redacted =
        Rewritten.with(
            FairnessAudit.class,
            AUDIT.withoutNumbers(),
            "redaction",
            new Redaction(RedactionMode.REDACT, "key", new byte[] {1, 2, 3}));
    JsonNode shown = document(DECISION, SensitiveValues.PLAIN, stored(redacted)).at("/fairness/0");
    for (String number :
        List.of("estimate", "lower", "upper", "leverage", "dual", "cumulativeViolation")) {
      assertTrue(shown.get(number).isNull(), shown::toString);
    }
    assertTrue(shown.at("/redaction/ciphertext").isNull(), shown::toString);
  }

  /** A mapper of whole records must not show a new field that reveals the person. */
  @Test
  void noDocumentHasAFieldThatTheSchemaCallsSensitive() throws IOException {
    SegmentEvent event =
        RUN.log.records(LogTopic.SEGMENT_EVENTS, 1).stream()
            .map(at -> Wire.SEGMENT_EVENT.decode(at.value()))
            .filter(it -> it.type() == SegmentEventType.REWARD_APPLIED)
            .map(it -> Rewritten.with(SegmentEvent.class, it, "decision.seq", DECISION.seq()))
            .findFirst()
            .orElseThrow();
    JsonNode shown =
        document(
            DECISION,
            SensitiveValues.REDACT,
            new StoredRecord(LogTopic.SEGMENT_EVENTS, 0, Wire.SEGMENT_EVENT.encode(event)));
    assertEquals(Set.of(), sensitive("Decision", shown));
    assertEquals(
        Set.of("reward", "learnedReward"),
        sensitive("SegmentEvent", shown.at("/outcome/events/0")));
  }

  /** Returns the fields of a document that show the person, or contain such a field. */
  private static Set<String> sensitive(String schema, JsonNode document) throws IOException {
    Set<String> found = new TreeSet<>();
    String text = Files.readString(Path.of("avro", schema + ".avsc"));
    collect(new Schema.Parser().parse(text), document, found);
    return found;
  }

  /** Nested records may be shown flat. */
  private static void collect(Schema schema, JsonNode document, Set<String> found) {
    for (Schema.Field field : schema.getFields()) {
      String own = "\"%s\" %s".formatted(field.getProp("sensitivity"), field.schema());
      boolean isSensitive = own.contains("\"RAW\"") || own.contains("\"SENSITIVE\"");
      if (isSensitive && document.has(field.name())) {
        found.add(field.name());
      }
      Schema type = field.schema().isUnion() ? field.schema().getTypes().get(1) : field.schema();
      if (type.getType() == Schema.Type.RECORD) {
        collect(type, document, found);
      }
    }
  }

  private static StoredRecord stored(FairnessAudit audit) {
    return new StoredRecord(LogTopic.AUDIT, 0, Wire.AUDIT.encode(audit));
  }

  private static JsonNode attribute(SensitiveValues sensitive, String name) {
    for (JsonNode attribute : document(sensitive).at("/context/attributes")) {
      if (attribute.get("name").asText().equals(name)) {
        return attribute;
      }
    }
    throw new AssertionError("no attribute " + name);
  }

  private static JsonNode document(SensitiveValues sensitive) {
    return document(DECISION, sensitive);
  }

  private static JsonNode document(
      Decision decision, SensitiveValues sensitive, StoredRecord... others) {
    LogRecord at = RUN.log.records(LogTopic.DECISIONS, 1).get(0);
    DecisionRecords records =
        DecisionRecords.of(
                Stream.concat(
                        Stream.of(new StoredRecord(LogTopic.DECISIONS, at.timestamp(), at.value())),
                        Arrays.stream(others))
                    .toList())
            .get(0);
    WireContext context =
        new WireContext(
            DECISION.decisionId(),
            "offers",
            0,
            Map.of("gender", "secret", "income", "low", "other", "undeclared"),
            null,
            null);
    return new DecisionDocument(records, decision, Logs.SPEC.spec(), null)
        .json("MEMORY", 0, context, "", sensitive)
        .node();
  }
}
