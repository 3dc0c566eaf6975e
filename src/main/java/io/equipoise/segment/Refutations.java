package io.equipoise.segment;

import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.CausalBound;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEventType;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.refutation.RefutedAssumption;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.state.SegmentContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Logs the rows of causal bounds and the assumptions of the spec that rewards refute, each as a
 * change of its own directly after the reward. A refuted assumption also withdraws the guarantee of
 * every verdict.
 *
 * <p>Every verdict of the segment depends on every assumption that is tested: effects are computed
 * from the same cells and tables.
 */
public final class Refutations {
  private final SegmentContext segmentContext;
  private final EventLogWriter eventLog;

  Refutations(SegmentContext segmentContext, EventLogWriter eventLog) {
    this.segmentContext = segmentContext;
    this.eventLog = eventLog;
  }

  /** Writes the rows of causal bounds that a change refuted, before any other change. */
  void writeBounds(long eventTime) {
    while (!segmentContext.refuted.isEmpty()) {
      writeNextBounds(eventTime);
    }
  }

  /** Writes the assumptions that rewards of this event have refuted. */
  void writeAssumptions(long eventTime) {
    boolean isWritten = segmentContext.hasRefuted;
    while (isWritten) {
      isWritten = writeNext(eventTime);
    }
    segmentContext.hasRefuted = false;
  }

  /** Writes the next refuted row of causal bounds that is not in the log, if there is one. */
  public void writeNextBounds(long eventTime) {
    Refutation refuted = segmentContext.refuted.poll();
    if (refuted == null) {
      return;
    }
    CausalBound row =
        Objects.requireNonNull(segmentContext.causalBounds).set().rows().get(refuted.row());
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.BOUNDS_REFUTED, eventTime)
            .bounds(
                new RefutedBounds(
                    row.arm(),
                    row.context(),
                    row.lower(),
                    row.upper(),
                    refuted.estimate(),
                    refuted.lower(),
                    refuted.upper())));
  }

  /**
   * Writes the next refuted assumption that is not in the log, and returns whether there was one.
   */
  public boolean writeNext(long eventTime) {
    RefutedAssumption refuted =
        segmentContext.spec == null
            ? null
            : segmentContext.spec.assumptions().next(segmentContext.state.blocks());
    if (refuted == null) {
      return false;
    }
    segmentContext.forgetRefutation();
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.ASSUMPTION_REFUTED, eventTime)
            .assumption(
                new AssumptionAudit(
                    refuted.kind(),
                    refuted.name(),
                    refuted.cell(),
                    refuted.logEvalue(),
                    refuted.logThreshold(),
                    refuted.observations(),
                    refuted.remedy(),
                    refuted.since())));
    return true;
  }

  /**
   * Returns the choice with the guarantee of its findings removed.
   *
   * @param isWithheld whether verdicts that depend on the guarantee are withheld too
   */
  static AuditedChoice withoutGuarantee(AuditedChoice audited, boolean isWithheld) {
    List<AuditFinding> findings = withoutGuarantee(audited.findings(), isWithheld);
    List<AuditFinding> left = audited.left();
    Choice choice = audited.choice();
    return new AuditedChoice(
        choice.certified() && isWithheld ? choice.certifiedBy(findings) : choice,
        findings,
        audited.duals(),
        audited.sample(),
        left == null ? null : withoutGuarantee(left, isWithheld));
  }

  private static List<AuditFinding> withoutGuarantee(
      List<AuditFinding> findings, boolean isWithheld) {
    List<AuditFinding> found = new ArrayList<>(findings.size());
    for (AuditFinding finding : findings) {
      boolean isGuaranteed =
          finding.verdict() == AuditVerdict.CERTIFIED_FAIR
              || finding.verdict() == AuditVerdict.UNFAIR;
      AuditVerdict verdict =
          isGuaranteed && isWithheld ? AuditVerdict.UNCERTAIN : finding.verdict();
      found.add(new AuditFinding(finding.effect(), finding.tau(), verdict, AuditGuarantee.NONE));
    }
    return found;
  }
}
