package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.BetterPaid;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.Refutation;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorSet;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.Effect;
import io.equipoise.fairness.EffectKind;
import io.equipoise.fairness.Guarantee;
import io.equipoise.fairness.Verdict;
import io.equipoise.fairness.ViolationSums;
import io.equipoise.spec.Intersections;
import io.equipoise.spec.SegmentSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Turns what was found about decisions and prior bounds into the records of the audit topic. */
final class AuditRecords {
  private static final SameName<EffectKind, AuditEffectKind> EFFECT_KINDS =
      new SameName<>(EffectKind.class, AuditEffectKind.class);
  private static final SameName<Verdict, AuditVerdict> VERDICTS =
      new SameName<>(Verdict.class, AuditVerdict.class);
  private static final SameName<Guarantee, AuditGuarantee> GUARANTEES =
      new SameName<>(Guarantee.class, AuditGuarantee.class);

  private AuditRecords() {}

  /**
   * Makes the record of one finding.
   *
   * @param sums the running violations, this decision included
   * @param place of the finding
   */
  static FairnessAudit of(
      Turn turn,
      int attempt,
      ContextEvent event,
      long seq,
      List<String> candidates,
      AuditedChoice audited,
      ViolationSums sums,
      int place) {
    Choice choice = audited.choice();
    AuditFinding finding = audited.findings().get(place);
    CompiledSpec compiled = turn.requireSpec();
    SegmentSpec spec = compiled.spec();
    Effect effect = finding.effect();
    Intersections names = compiled.intersections();
    BetterPaid foregone = choice.foregone();
    Verdict left = audited.foregone();
    List<AuditFinding> ofLeft = audited.left();
    Effect leftEffect = ofLeft == null ? null : ofLeft.get(place).effect();
    return new FairnessAudit(
        AuditKind.DECISION,
        event.decisionId(),
        turn.segment,
        Journal.SHARD,
        attempt,
        seq,
        candidates.get(choice.arm()),
        names.name(effect.attribute()),
        names.level(effect.attribute(), effect.factual()),
        names.level(effect.attribute(), effect.counterfactual()),
        EFFECT_KINDS.of(effect.kind()),
        effect.isIdentified(),
        effect.estimate(),
        effect.lower(),
        effect.upper(),
        finding.tau(),
        VERDICTS.of(finding.verdict()),
        GUARANTEES.of(finding.guarantee()),
        effect.priorShare(),
        choice.certified(),
        choice.fairSetSize() < 0 ? null : choice.fairSetSize(),
        audited.duals().isEmpty() ? null : audited.duals().get(place),
        foregone == null ? null : candidates.get(foregone.arm()),
        spec.policy().name().wire(),
        spec.hash(),
        spec.number(),
        event.eventTime(),
        null,
        null,
        Map.of(),
        null,
        null,
        null,
        null,
        choice.explored(),
        left == null ? null : VERDICTS.of(left),
        sums.stageWise(),
        sums.stageWiseUpper(),
        sums.signed(),
        effect.leverage(),
        leftEffect == null ? null : leftEffect.estimate(),
        leftEffect == null ? null : leftEffect.lower(),
        leftEffect == null ? null : leftEffect.upper(),
        null,
        foregone == null ? null : foregone.index(),
        turn.refutation());
  }

  /** Makes the record of a prior bound that a logged change refuted. */
  static FairnessAudit of(Turn turn, Outcome change, Refutation refuted) {
    CompiledSpec compiled = turn.requireSpec();
    PriorSet priors = Objects.requireNonNull(turn.priors).set();
    PriorBound bound = priors.rows().get(refuted.row());
    return new FairnessAudit(
        AuditKind.PRIOR_REFUTED,
        null,
        turn.segment,
        Journal.SHARD,
        change.attempt(),
        change.seq(),
        bound.arm(),
        null,
        null,
        null,
        null,
        false,
        refuted.estimate(),
        refuted.lower(),
        refuted.upper(),
        null,
        null,
        AuditGuarantee.ANYTIME,
        null,
        false,
        null,
        null,
        null,
        compiled.spec().policy().name().wire(),
        compiled.spec().hash(),
        compiled.spec().number(),
        change.eventTime(),
        priors.hash(),
        priors.number(),
        bound.context(),
        bound.lower(),
        bound.upper(),
        null,
        null,
        false,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
