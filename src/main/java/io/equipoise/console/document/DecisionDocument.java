package io.equipoise.console.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.console.document.DecisionRecords.Timed;
import io.equipoise.console.state.Names;
import io.equipoise.event.ArmCertificate;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.WireContext;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Explains one decision. */
public final class DecisionDocument {
  private static final int MOST_CANDIDATES = 200;
  private static final int MOST_ATTRIBUTES = 200;

  private final DecisionRecords records;
  private final Decision decision;
  private final @Nullable SegmentSpec spec;
  private final @Nullable SegmentMetrics snapshot;

  /**
   * Prepares the document.
   *
   * @param records with a decision
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
  public ObjectNode json(
      String foundIn,
      long now,
      @Nullable WireContext context,
      String contextFault,
      SensitiveValues sensitive) {
    ErrorCode error = ErrorCode.of(decision.errorCode());
    List<String> candidates = candidates();
    return Json.object(
        "now",
        now,
        "decisionId",
        decision.decisionId(),
        "segment",
        decision.segment(),
        "time",
        records.time(),
        "eventTime",
        decision.eventTime(),
        "foundIn",
        foundIn,
        "arm",
        decision.arm(),
        "reason",
        decision.reason(),
        "reasonText",
        Wording.reason(decision.reason()),
        "policy",
        decision.policy(),
        "specVersion",
        decision.specVersion(),
        "specHash",
        decision.specHash(),
        "boundsVersion",
        decision.boundsVersion(),
        "boundsHash",
        decision.boundsHash(),
        "certified",
        decision.certified(),
        "fairSetSize",
        decision.fairSetSize(),
        "seq",
        decision.seq(),
        "writerEpoch",
        decision.writerEpoch(),
        "recovered",
        decision.recovered(),
        "errorCode",
        decision.errorCode(),
        "errorText",
        error == null ? null : error.cause() + " " + error.remedy(),
        "index",
        decision.index(),
        "mean",
        decision.mean(),
        "width",
        decision.width(),
        "context",
        context(context, contextFault, isHidden(sensitive)),
        "propensityKind",
        decision.propensityKind(),
        "candidates",
        candidateRows(candidates),
        "candidatesLeftOut",
        Math.max(0, candidates.size() - MOST_CANDIDATES),
        "fairness",
        records.audits().stream().map(this::fairness).toList(),
        "fairnessText",
        fairnessText(),
        "outcome",
        outcome(),
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
   * snapshot of its segment nothing says that it may be shown.
   */
  private boolean isHidden(SensitiveValues sensitive) {
    return sensitive != SensitiveValues.PLAIN
        || decision.redaction() != null
        || (snapshot == null ? !decision.isChosen() : snapshot.redaction() != null)
        || records.audits().stream().anyMatch(it -> it.redaction() != null)
        || records.deadLetters().stream().anyMatch(it -> it.record().redaction() != null);
  }

  private ObjectNode context(@Nullable WireContext context, String fault, boolean isHidden) {
    SegmentSpec known = spec;
    boolean isShown = context != null && known != null;
    List<ObjectNode> attributes = new ArrayList<>();
    int leftOut = 0;
    if (context != null && known != null) {
      for (SpecVariable variable : known.variables().features()) {
        boolean isRedacted = isHidden && variable.role() == VariableRole.SENSITIVE;
        Object value = context.attributes().get(variable.name());
        if (attributes.size() < MOST_ATTRIBUTES) {
          attributes.add(
              Json.object(
                  "name",
                  variable.name(),
                  "role",
                  variable.role().name().toLowerCase(Locale.ROOT),
                  "value",
                  isRedacted || value == null ? null : Names.text(String.valueOf(value)),
                  "redacted",
                  isRedacted));
        }
      }
      leftOut =
          (int)
              context.attributes().keySet().stream()
                  .filter(name -> !known.variables().has(name))
                  .count();
    }
    String why = known == null ? "The text of the spec is not known any more." : fault;
    return Json.object(
        "state",
        isShown ? "SHOWN" : "UNAVAILABLE",
        "text",
        isShown
            ? isHidden
                ? "As the sender sent it, without sensitive values, which this deployment redacts."
                : "As the sender sent it."
            : why,
        "place",
        decision.contextTopic() == null
            ? null
            : Json.object(
                "topic",
                decision.contextTopic(),
                "partition",
                decision.contextPartition(),
                "offset",
                decision.contextOffset()),
        "attributes",
        attributes,
        "attributesLeftOut",
        leftOut);
  }

  private List<String> candidates() {
    if (!decision.candidates().isEmpty()) {
      return decision.candidates();
    }
    return spec == null || !decision.isChosen()
        ? decision.arm() == null ? List.of() : List.of(decision.arm())
        : spec.arms().list().stream().map(it -> it.id()).toList();
  }

  private List<ObjectNode> candidateRows(List<String> ids) {
    List<Double> propensities = null;
    try {
      propensities = decision.isChosen() ? decision.propensitiesOf(ids) : null;
    } catch (IllegalArgumentException e) {
      propensities = null; // the arms of the spec are not those of the decision
    }
    List<ObjectNode> rows = new ArrayList<>();
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

  private ObjectNode candidate(String arm, boolean isChosen, @Nullable Double propensity) {
    ExcludedCandidate excluded =
        records.audits().stream()
            .map(FairnessAudit::excluded)
            .filter(it -> it != null && it.arm().equals(arm))
            .findFirst()
            .orElse(null);
    String certificate = certificate(arm);
    String status = isChosen ? "CHOSEN" : excluded != null ? "EXCLUDED" : "OTHER";
    String text =
        isChosen
            ? decision.certified() ? "chosen; certified fair" : "chosen; not certified"
            : excluded != null
                ? "excluded by the fairness constraint"
                    + (excluded.verdict() == null ? "" : ": " + excluded.verdict())
                : "not chosen";
    return Json.object(
        "arm",
        arm,
        "isChosen",
        isChosen,
        "propensity",
        propensity,
        "index",
        isChosen ? decision.index() : excluded == null ? null : excluded.reward(),
        "status",
        status,
        "statusText",
        text,
        "certificate",
        certificate);
  }

  /** Returns the gravest of the latest certificates of an arm; null if none is known. */
  private @Nullable String certificate(String arm) {
    List<ArmCertificate> all =
        snapshot == null
            ? List.of()
            : snapshot.certificates().stream().filter(it -> it.arm().equals(arm)).toList();
    for (String gravest : List.of("UNFAIR", "OPEN", "FAIR")) {
      if (all.stream().anyMatch(it -> it.status().name().equals(gravest))) {
        return gravest;
      }
    }
    return null;
  }

  private ObjectNode fairness(FairnessAudit audit) {
    AuditedEffect effect = audit.effect();
    ExcludedCandidate excluded = audit.excluded();
    return Json.object(
        "attribute",
        effect.attribute(),
        "factual",
        effect.factual(),
        "counterfactual",
        effect.counterfactual(),
        "kind",
        effect.kind(),
        "identified",
        effect.identified(),
        "estimate",
        effect.estimate(),
        "lower",
        effect.lower(),
        "upper",
        effect.upper(),
        "threshold",
        audit.threshold(),
        "verdict",
        audit.verdict(),
        "guarantee",
        audit.guarantee(),
        "guaranteeText",
        Wording.guarantee(audit.guarantee()),
        "interval",
        effect.interval(),
        "unsupportedShare",
        effect.unsupportedShare(),
        "dual",
        audit.dual(),
        "refutedAssumption",
        audit.refutedAssumption(),
        "explored",
        audit.explored(),
        "sentence",
        Wording.sentence(audit, spec == null ? null : (Double) spec.fairness().delta()),
        "verdictText",
        Wording.verdict(audit.verdict()),
        "excluded",
        excluded == null
            ? null
            : Json.object(
                "arm",
                excluded.arm(),
                "reward",
                excluded.reward(),
                "verdict",
                excluded.verdict(),
                "estimate",
                excluded.estimate(),
                "lower",
                excluded.lower(),
                "upper",
                excluded.upper(),
                "sentence",
                Wording.excluded(excluded)));
  }

  private ObjectNode outcome() {
    String status = records.status();
    String text =
        switch (status) {
          case "SETTLED" -> "A reward settled the decision.";
          case "TIMED_OUT" -> "No reward arrived within its window.";
          case "EVICTED" -> "The decision was given up because too many waited.";
          case "CLOSED_NOT_LEARNABLE" -> "The decision was closed without learning.";
          case "AWAITING" -> "The decision waits for its reward.";
          default -> "Nothing is learned from this decision.";
        };
    return Json.object(
        "status",
        status,
        "statusText",
        text,
        "windowEnds",
        spec == null ? null : (Long) (decision.eventTime() + spec.join().rewardWindow().toMillis()),
        "events",
        records.events().stream().map(this::event).toList());
  }

  private ObjectNode event(Timed<SegmentEvent> timed) {
    SegmentEvent event = timed.record();
    return Json.object(
        "type",
        event.type(),
        "time",
        timed.time(),
        "eventTime",
        event.eventTime(),
        "reward",
        event.reward(),
        "learned",
        event.learned(),
        "learnedReward",
        event.learnedReward(),
        "shownArm",
        event.shownArm(),
        "reason",
        event.reason(),
        "text",
        Wording.event(event, decision.eventTime()));
  }

  private static ObjectNode deadLetter(Timed<DeadLetter> timed) {
    ErrorCode code = ErrorCode.of(timed.record().code());
    return Json.object(
        "code",
        timed.record().code(),
        "time",
        timed.time(),
        "message",
        Names.text(timed.record().message()),
        "remedy",
        code == null ? null : code.remedy());
  }

  /** Returns the line of a list of decisions. */
  public static ObjectNode line(DecisionRecords records, Decision decision) {
    FairnessAudit gravest = null;
    for (FairnessAudit audit : records.audits()) {
      if (gravest == null || gravity(audit) > gravity(gravest)) {
        gravest = audit;
      }
    }
    return Json.object(
        "decisionId",
        decision.decisionId(),
        "segment",
        decision.segment(),
        "time",
        records.time(),
        "arm",
        decision.arm(),
        "reason",
        decision.reason(),
        "certified",
        decision.certified(),
        "verdict",
        gravest == null ? null : gravest.verdict(),
        "reward",
        records.reward(),
        "status",
        records.status());
  }

  private static int gravity(FairnessAudit audit) {
    return switch (audit.verdict()) {
      case UNFAIR -> 5;
      case UNCERTAIN -> 4;
      case NO_OVERLAP -> 3;
      case NOT_IDENTIFIED -> 2;
      case FAIR -> 1;
      case CERTIFIED_FAIR -> 0;
    };
  }
}
