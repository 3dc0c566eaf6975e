package io.equipoise.console.document;

import io.equipoise.console.document.DecisionRecords.Timed;
import io.equipoise.console.state.Names;
import io.equipoise.event.ArmCertificate;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.WireContext;
import io.equipoise.http.Json;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains one decision. */
public final class DecisionDocument {
  private static final int MOST_CANDIDATES = 200;
  private static final int MOST_ATTRIBUTES = 200;

  /** Fields of a decision that reveal the person, or that have another form here. */
  private static final String[] HIDDEN = {
    "features",
    "candidateFeatures",
    "sample",
    "propensities",
    "place",
    "versions",
    "source",
    "estimate"
  };

  private static final List<AuditVerdict> GRAVEST =
      List.of(
          AuditVerdict.UNFAIR,
          AuditVerdict.UNCERTAIN,
          AuditVerdict.NO_OVERLAP,
          AuditVerdict.NOT_IDENTIFIED,
          AuditVerdict.FAIR,
          AuditVerdict.CERTIFIED_FAIR);

  private final DecisionRecords records;
  private final Decision decision;
  private final @Nullable SegmentSpec spec;
  private final @Nullable SegmentMetrics snapshot;

  /**
   * Prepares the document.
   *
   * @param records of the decision
   * @param spec of the decision; null if its text is lost
   * @param snapshot the latest of the segment; null if there is none
   */
  public DecisionDocument(
      DecisionRecords records,
      Decision decision,
      @Nullable SegmentSpec spec,
      @Nullable SegmentMetrics snapshot) {
    this.records = records;
    this.decision = decision;
    this.spec = spec;
    this.snapshot = snapshot;
  }

  /**
   * Makes the document.
   *
   * @param foundIn MEMORY or TOPICS
   * @param context null if it cannot be read
   * @param contextFault why it cannot be read
   * @param sensitive what the reader redacts besides; what the records redact is never shown
   */
  public Json json(
      String foundIn,
      long now,
      @Nullable WireContext context,
      String contextFault,
      SensitiveValues sensitive) {
    ErrorCode error = ErrorCode.of(decision.errorCode());
    List<String> candidates = candidates();
    return Json.of(decision, decision.place(), decision.versions())
        .without(HIDDEN)
        .with("index", decision.index())
        .with("mean", decision.mean())
        .with("width", decision.width())
        .with("propensityKind", decision.propensities().kind())
        .with("contextTopic", decision.source().topic())
        .with("contextPartition", decision.source().partition())
        .with("contextOffset", decision.source().offset())
        .with("now", now)
        .with("time", records.time())
        .with("foundIn", foundIn)
        .with("reasonText", Wording.reason(decision.reason()))
        .with("errorText", error == null ? null : error.cause() + " " + error.remedy())
        .with("context", context(context, contextFault, isHidden(sensitive)))
        .with("candidates", candidateRows(candidates))
        .with("candidatesLeftOut", Math.max(0, candidates.size() - MOST_CANDIDATES))
        .with("fairness", records.audits().stream().map(this::fairness).toList())
        .with("fairnessText", fairnessText())
        .with("outcome", outcome())
        .with(
            "deadLetters",
            records.deadLetters().stream().map(DecisionDocument::deadLetter).toList());
  }

  private @Nullable String fairnessText() {
    if (!records.audits().isEmpty()) {
      return null;
    }
    return decision.isChosen()
        ? "No fairness record was found. Best-arm experiments and specs without a sensitive"
            + " variable write none; otherwise it may be on its way or removed by retention."
        : "No policy chose, so nothing was audited.";
  }

  /**
   * Returns whether sensitive values of the context stay hidden: the reader's option says so, or a
   * record that the job wrote is redacted. A refused context has no redaction of its own; without a
   * snapshot of its segment, nothing permits its display.
   */
  private boolean isHidden(SensitiveValues sensitive) {
    return sensitive != SensitiveValues.PLAIN
        || decision.redaction() != null
        || (snapshot == null ? !decision.isChosen() : snapshot.redaction() != null)
        || records.audits().stream().anyMatch(it -> it.redaction() != null)
        || records.deadLetters().stream().anyMatch(it -> it.record().redaction() != null);
  }

  private Json context(@Nullable WireContext context, String fault, boolean isHidden) {
    SegmentSpec known = spec;
    if (context == null || known == null) {
      String why = known == null ? "The text of the spec is not known any more." : fault;
      return Json.of()
          .with("state", "UNAVAILABLE")
          .with("text", why)
          .with("attributes", List.of())
          .with("attributesLeftOut", 0);
    }
    Stream<Attribute> attributes =
        known.variables().features().stream()
            .limit(MOST_ATTRIBUTES)
            .map(it -> Attribute.of(it, context.attributes().get(it.name()), isHidden));
    long leftOut =
        context.attributes().keySet().stream().filter(it -> !known.variables().has(it)).count();
    return Json.of()
        .with("state", "SHOWN")
        .with(
            "text",
            isHidden
                ? "As the sender sent it, without sensitive values, which this deployment redacts."
                : "As the sender sent it.")
        .with("attributes", attributes.toList())
        .with("attributesLeftOut", leftOut);
  }

  private record Attribute(String name, String role, @Nullable String value, boolean redacted) {
    static Attribute of(SpecVariable variable, @Nullable Object value, boolean isHidden) {
      boolean isRedacted = isHidden && variable.role() == VariableRole.SENSITIVE;
      return new Attribute(
          variable.name(),
          variable.role().name().toLowerCase(Locale.ROOT),
          isRedacted || value == null ? null : Names.text(String.valueOf(value)),
          isRedacted);
    }
  }

  private List<String> candidates() {
    if (!decision.candidates().isEmpty()) {
      return decision.candidates();
    }
    return spec == null || !decision.isChosen()
        ? decision.arm() == null ? List.of() : List.of(decision.arm())
        : spec.arms().list().stream().map(it -> it.id()).toList();
  }

  private List<Json> candidateRows(List<String> ids) {
    List<Double> propensities = null;
    try {
      propensities = decision.isChosen() ? decision.propensitiesOf(ids) : null;
    } catch (IllegalArgumentException e) {
      propensities = null; // the arms of the spec are not those of the decision
    }
    List<Json> rows = new ArrayList<>();
    for (int place = 0; place < ids.size(); place++) {
      boolean isChosen = ids.get(place).equals(decision.arm());
      if (isChosen || rows.size() < MOST_CANDIDATES - 1) {
        rows.add(
            candidate(
                ids.get(place), isChosen, propensities == null ? null : propensities.get(place)));
      }
    }
    return rows;
  }

  private Json candidate(String arm, boolean isChosen, @Nullable Double propensity) {
    ExcludedCandidate excluded =
        records.audits().stream()
            .map(FairnessAudit::excluded)
            .filter(it -> it != null && it.arm().equals(arm))
            .findFirst()
            .orElse(null);
    String text =
        isChosen
            ? decision.certified() ? "chosen; certified fair" : "chosen; not certified"
            : excluded != null
                ? "excluded by the fairness constraint"
                    + (excluded.verdict() == null ? "" : ": " + excluded.verdict())
                : "not chosen";
    return Json.of()
        .with("arm", arm)
        .with("isChosen", isChosen)
        .with("propensity", propensity)
        .with("index", isChosen ? decision.index() : excluded == null ? null : excluded.reward())
        .with("status", isChosen ? "CHOSEN" : excluded != null ? "EXCLUDED" : "OTHER")
        .with("statusText", text)
        .with("certificate", certificate(arm));
  }

  /** Returns the gravest of the latest certificates of an arm; null if none is known. */
  private @Nullable String certificate(String arm) {
    List<ArmCertificate> all =
        snapshot == null
            ? List.of()
            : snapshot.fairness().certificates().stream()
                .filter(it -> it.arm().equals(arm))
                .toList();
    for (String gravest : List.of("UNFAIR", "OPEN", "FAIR")) {
      if (all.stream().anyMatch(it -> it.status().name().equals(gravest))) {
        return gravest;
      }
    }
    return null;
  }

  private Json fairness(FairnessAudit audit) {
    ExcludedCandidate excluded = audit.excluded();
    return Json.of(audit, audit.place(), audit.versions(), audit.effect(), audit.conclusion())
        .without("place", "versions", "effect", "conclusion")
        .with(
            "kindText",
            audit.effect().kind() == AuditEffectKind.TOTAL
                ? audit.effect().attribute()
                : Wording.kind(audit.effect().kind(), audit.effect().attribute(), spec))
        .with("guaranteeText", Wording.guarantee(audit.guarantee()))
        .with(
            "sentence",
            Wording.sentence(audit, spec == null ? null : spec.fairness().delta(), spec))
        .with("verdictText", Wording.verdict(audit.verdict()))
        .with(
            "excluded",
            excluded == null
                ? null
                : Json.of(excluded)
                    .with("sentence", Wording.excluded(excluded, audit.threshold())));
  }

  private Json outcome() {
    String status = records.status();
    String text =
        switch (status) {
          case "SETTLED" -> "A reward settled the decision.";
          case "TIMED_OUT" -> "No reward arrived within its window.";
          case "EVICTED" -> "The decision was given up because too many waited.";
          case "CLOSED_NOT_LEARNABLE" -> "The decision was closed without learning.";
          case "AWAITING" ->
              "The decision waits for its reward, or for an input that closes its window.";
          default -> "Nothing is learned from this decision.";
        };
    return Json.of()
        .with("status", status)
        .with("statusText", text)
        .with(
            "windowEnds",
            spec == null
                ? null
                : (Long) (decision.eventTime() + spec.join().rewardWindow().toMillis()))
        .with("events", records.events().stream().map(this::event).toList());
  }

  private Json event(Timed<SegmentEvent> timed) {
    SegmentEvent event = timed.record();
    return Json.of(event.place())
        .with("type", event.type())
        .with("eventTime", event.eventTime())
        .with("arm", event.arm())
        .with("shownArm", event.shownArm())
        .with("reward", event.observedReward())
        .with("learned", event.learned())
        .with("learnedReward", event.learnedReward())
        .with("reason", event.reason())
        .with("time", timed.time())
        .with("text", Wording.event(event, decision.eventTime()));
  }

  private static Json deadLetter(Timed<DeadLetter> timed) {
    ErrorCode code = ErrorCode.of(timed.record().code());
    return Json.of()
        .with("code", timed.record().code())
        .with("time", timed.time())
        .with("message", Names.text(timed.record().message()))
        .with("remedy", code == null ? null : code.remedy());
  }

  record Line(
      String decisionId,
      String segment,
      long time,
      @Nullable String arm,
      DecisionReason reason,
      boolean certified,
      @Nullable AuditVerdict verdict,
      @Nullable Double reward,
      String status) {
    static Line of(DecisionRecords records) {
      Decision decision = records.decision();
      return new Line(
          decision.decisionId(),
          decision.segment(),
          records.time(),
          decision.arm(),
          decision.reason(),
          decision.certified(),
          records.audits().stream()
              .map(FairnessAudit::verdict)
              .min(Comparator.comparing(GRAVEST::indexOf))
              .orElse(null),
          records.reward(),
          records.status());
    }
  }
}
