package io.equipoise.console.report;

import io.equipoise.console.state.SampleMoments;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.FairnessAudit;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Summarizes the audits of one pair of levels. */
final class PairFigures {
  final Map<AuditVerdict, Long> verdicts = new EnumMap<>(AuditVerdict.class);
  final Map<String, ArmEffect> arms = new TreeMap<>();

  /**
   * Identifies a pair and a kind of effect.
   *
   * @param factual empty where the level is redacted
   */
  record FigureKey(String attribute, String factual, String counterfactual, AuditEffectKind kind)
      implements Comparable<FigureKey> {
    static FigureKey of(FairnessAudit audit) {
      String factual = audit.effect().factual();
      String counterfactual = audit.effect().counterfactual();
      return new FigureKey(
          audit.effect().attribute(),
          factual == null ? "" : factual,
          counterfactual == null ? "" : counterfactual,
          audit.effect().kind());
    }

    @Override
    public int compareTo(FigureKey other) {
      int byAttribute = attribute.compareTo(other.attribute);
      int byFactual = byAttribute != 0 ? byAttribute : factual.compareTo(other.factual);
      int byLevels = byFactual != 0 ? byFactual : counterfactual.compareTo(other.counterfactual);
      return byLevels != 0 ? byLevels : kind.compareTo(other.kind);
    }
  }

  /**
   * Summarizes the effects of one arm.
   *
   * @param estimates all of the period
   * @param latest the last audit of the period
   */
  record ArmEffect(long audits, SampleMoments estimates, FairnessAudit latest) {}

  void on(FairnessAudit audit) {
    verdicts.merge(audit.verdict(), 1L, Long::sum);
    ArmEffect known = arms.get(audit.arm());
    SampleMoments estimates = known == null ? SampleMoments.NONE : known.estimates();
    Double estimate = audit.effect().estimate();
    boolean isLatest = known == null || audit.seq() >= known.latest().seq();
    arms.put(
        audit.arm(),
        new ArmEffect(
            known == null ? 1 : known.audits() + 1,
            estimate == null ? estimates : estimates.plus(estimate),
            isLatest ? audit : known.latest()));
  }

  long audits() {
    return verdicts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the weakest guarantee of the latest audits; null without audits. */
  @Nullable AuditGuarantee weakest() {
    AuditGuarantee weakest = null;
    for (ArmEffect effect : arms.values()) {
      AuditGuarantee guarantee = effect.latest().guarantee();
      weakest = weakest == null || guarantee.compareTo(weakest) > 0 ? guarantee : weakest;
    }
    return weakest;
  }
}
