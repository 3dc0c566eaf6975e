package io.equipoise.policy.logistic;

import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports what is known of a decision's effects (docs/math/logistic.md#coverage).
 *
 * @param findings one for each constraint and alternative, in that order; an effect is
 *     counterfactual minus factual, as everywhere on the audit stream
 * @param overlap one for each finding
 * @param constraints for each finding the constraint it belongs to
 * @param verdict the gravest of the findings'
 * @param excluded null if no better-paid candidate was left because an effect was unknown
 */
public record DecisionAudit(
    List<AuditFinding> findings,
    List<Overlap> overlap,
    List<Integer> constraints,
    AuditVerdict verdict,
    @Nullable Excluded excluded) {
  public DecisionAudit {
    findings = List.copyOf(findings);
    overlap = List.copyOf(overlap);
    constraints = List.copyOf(constraints);
  }

  /**
   * The best-paid candidate above the chosen one whose effect is not decided: what caution may have
   * cost.
   *
   * @param findings one for each constraint and alternative, as of the chosen one
   * @param low least and {@code high} greatest size of its gravest effect
   * @param optimistic its optimistic mean reward
   */
  public record Excluded(
      int candidate,
      AuditVerdict verdict,
      List<AuditFinding> findings,
      double low,
      double high,
      double optimistic) {
    public Excluded {
      findings = List.copyOf(findings);
    }
  }

  /** Returns whether more of the same traffic would not decide the choice or what it left. */
  public boolean hasNoOverlap() {
    return verdict == AuditVerdict.NO_OVERLAP
        || (excluded != null && excluded.verdict() == AuditVerdict.NO_OVERLAP);
  }

  /**
   * Returns the gravest excess of an effect's estimated size over its threshold; may be below 0.
   */
  public double excess() {
    return AuditFinding.excess(findings);
  }

  /** Returns the gravest excess of an effect's upper end over its threshold; may be below 0. */
  public double upperExcess() {
    return AuditFinding.upperExcess(findings);
  }
}
