package io.equipoise.bandit;

import io.equipoise.fairness.AuditFinding;
import java.util.List;

/**
 * What was chosen, and what the auditor finds about it.
 *
 * @param duals for each finding the dual variable that priced its effect when the choice was made;
 *     empty if the policy has none
 */
public record AuditedChoice(Choice choice, List<AuditFinding> findings, List<Double> duals) {
  public AuditedChoice {
    findings = List.copyOf(findings);
    duals = List.copyOf(duals);
  }

  /** What a policy without dual variables chose. */
  public AuditedChoice(Choice choice, List<AuditFinding> findings) {
    this(choice, findings, List.of());
  }
}
