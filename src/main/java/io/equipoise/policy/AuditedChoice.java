package io.equipoise.policy;

import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins what was chosen to what the auditor finds about it.
 *
 * @param duals for each finding the dual variable that priced its effect when the choice was made;
 *     empty if the policy has none
 * @param sample what the decision is a sample of; null unless an experiment takes one
 * @param left the same findings about the choice's excluded arm, each in the place of its
 *     comparison; null if there is none
 */
public record AuditedChoice(
    Choice choice,
    List<AuditFinding> findings,
    List<Double> duals,
    @Nullable Sample sample,
    @Nullable List<AuditFinding> left) {
  public AuditedChoice {
    findings = List.copyOf(findings);
    duals = List.copyOf(duals);
    left = left == null ? null : List.copyOf(left);
  }

  /** Creates the choice of an experiment. */
  public AuditedChoice(
      Choice choice, List<AuditFinding> findings, List<Double> duals, @Nullable Sample sample) {
    this(choice, findings, duals, sample, null);
  }

  /** Creates the choice of a policy without dual variables and samples. */
  public AuditedChoice(Choice choice, List<AuditFinding> findings) {
    this(choice, findings, List.of(), null);
  }

  /** Returns the gravest verdict on the choice's excluded arm; null if there is none. */
  public @Nullable AuditVerdict excluded() {
    return left == null ? null : AuditFinding.gravest(left);
  }

  /**
   * Identifies what an experiment takes a decision for.
   *
   * @param phase its place in the experiment's plan, from 0
   * @param type 0 for the natural mix of groups, 1 for the first group, 2 for the second
   */
  public record Sample(int phase, int type) {}
}
