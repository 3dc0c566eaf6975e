package io.equipoise.bandit;

import io.equipoise.fairness.AuditFinding;
import java.util.List;

/** What was chosen, and what the auditor finds about it. */
public record AuditedChoice(Choice choice, List<AuditFinding> findings) {
  public AuditedChoice {
    findings = List.copyOf(findings);
  }
}
