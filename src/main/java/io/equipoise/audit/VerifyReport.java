package io.equipoise.audit;

import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.Invariant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints the findings of an audit as text lines and as JSON. */
record VerifyReport(List<Finding> findings, Set<Invariant> unasked) {
  boolean isViolated() {
    return findings.stream().anyMatch(finding -> finding.verdict() == Verdict.VIOLATED);
  }

  /** Returns whether all requested checks were done. */
  boolean isChecked() {
    return findings.stream()
        .noneMatch(
            finding ->
                finding.verdict() == Verdict.NOT_CHECKED && !unasked.contains(finding.invariant()));
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Finding finding : findings) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s  %-10s  %,12d  %s",
              finding.invariant(),
              unasked.contains(finding.invariant()) ? "not asked" : finding.verdict(),
              finding.checked(),
              finding.invariant().sentence()));
      if (finding.why() != null && !unasked.contains(finding.invariant())) {
        lines.add("      " + reason(finding));
      }
    }
    lines.add(
        isViolated()
            ? "VIOLATED"
            : isChecked() ? "All requested checks passed." : "Some checks could not be done.");
    return lines;
  }

  private static String reason(Finding finding) {
    String offender = finding.offender() == null ? "" : finding.offender() + ": ";
    String more = finding.violations() > 1 ? " (and %,d more)" : "";
    return offender + finding.why() + String.format(Locale.ROOT, more, finding.violations() - 1);
  }

  Map<String, Object> json() {
    List<Map<String, Object>> invariants = new ArrayList<>();
    for (Finding finding : findings) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("name", finding.invariant().name());
      one.put("sentence", finding.invariant().sentence());
      one.put("verdict", finding.verdict().name());
      one.put("asked", !unasked.contains(finding.invariant()));
      one.put("checked", finding.checked());
      one.put("violations", finding.violations());
      one.put("offender", finding.offender());
      one.put("why", finding.why());
      invariants.add(one);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("invariants", invariants);
    result.put("verdict", isViolated() ? "VIOLATED" : isChecked() ? "OK" : "NOT_CHECKED");
    return result;
  }
}
