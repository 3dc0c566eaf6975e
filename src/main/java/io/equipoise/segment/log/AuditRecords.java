package io.equipoise.segment.log;

import io.equipoise.event.AuditConclusion;
import io.equipoise.event.AuditRefuted;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.CumulativeViolation;
import io.equipoise.event.Decision;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.fairness.ViolationSums;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ExcludedArm;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Intersections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the records of the audit topic from the findings about a decision. */
final class AuditRecords {
  private AuditRecords() {}

  /**
   * Makes the record of one finding.
   *
   * @param decision the audited decision
   * @param compiled the spec that it was made under
   * @param refutation what becomes of verdicts as an assumption is refuted, null while none is
   * @param sums the running violations, this decision included
   * @param place of the finding
   */
  static FairnessAudit of(
      Decision decision,
      CompiledSpec compiled,
      @Nullable AuditRefuted refutation,
      List<String> candidates,
      AuditedChoice audited,
      ViolationSums sums,
      int place) {
    Choice choice = audited.choice();
    AuditFinding finding = audited.findings().get(place);
    return new FairnessAudit(
        decision.decisionId(),
        decision.place(),
        decision.eventTime(),
        decision.versions().ofSpec(),
        decision.policy(),
        candidates.get(choice.arm()),
        decision.certified(),
        choice.explored(),
        decision.fairSetSize(),
        effect(finding.effect(), compiled.intersections()),
        new AuditConclusion(
            finding.tau(),
            compiled.spec().fairness().unit(),
            finding.verdict(),
            finding.guarantee(),
            refutation),
        audited.duals().isEmpty() ? null : audited.duals().get(place),
        excluded(candidates, audited, place),
        new CumulativeViolation(sums.stageWise(), sums.stageWiseUpper(), sums.signed()),
        null);
  }

  private static AuditedEffect effect(EffectFinding auditEffect, Intersections names) {
    return new AuditedEffect(
        names.name(auditEffect.attribute()),
        names.level(auditEffect.attribute(), auditEffect.factual()),
        names.level(auditEffect.attribute(), auditEffect.counterfactual()),
        auditEffect.kind(),
        auditEffect.isIdentified(),
        auditEffect.estimate(),
        auditEffect.lower(),
        auditEffect.upper(),
        auditEffect.unsupportedShare(),
        auditEffect.leverage(),
        auditEffect.interval(),
        auditEffect.information(),
        auditEffect.imbalance());
  }

  private static @Nullable ExcludedCandidate excluded(
      List<String> candidates, AuditedChoice audited, int place) {
    ExcludedArm excluded = audited.choice().excluded();
    if (excluded == null) {
      return null;
    }
    List<AuditFinding> findings = audited.left();
    EffectFinding auditEffect = findings == null ? null : findings.get(place).effect();
    return new ExcludedCandidate(
        candidates.get(excluded.arm()),
        excluded.index(),
        audited.excluded(),
        auditEffect == null ? null : auditEffect.estimate(),
        auditEffect == null ? null : auditEffect.lower(),
        auditEffect == null ? null : auditEffect.upper());
  }
}
