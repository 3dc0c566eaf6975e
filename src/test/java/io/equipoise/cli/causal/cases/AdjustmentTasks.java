package io.equipoise.cli.causal.cases;

import io.equipoise.causal.effect.Adjustment;
import io.equipoise.causal.effect.AdjustmentSet;
import io.equipoise.causal.estimand.Estimand;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tasks about covariate adjustment. */
final class AdjustmentTasks {
  private AdjustmentTasks() {}

  static CaseResult check(Case asked) {
    return check(asked, "valid", Set.of());
  }

  static CaseResult selection(Case asked) {
    return check(asked, "admissible", asked.names("z_external"));
  }

  private static CaseResult check(Case asked, String field, Set<String> external) {
    Adjustment adjustment = of(asked);
    Set<String> z = asked.names("z");
    Optional<String> violation = adjustment.violation(z, external);
    CaseResult caseResult = new CaseResult(asked.expected()).expect(field, violation.isEmpty());
    if (violation.isPresent()) {
      return caseResult.add("violation", violation.get());
    }
    Estimand formula = adjustment.estimand(new AdjustmentSet(z, external));
    caseResult.add("estimand", formula.toText(asked.graph().nodes()));
    Numbers.of(asked).ifPresent(numbers -> numbers.compare(formula, caseResult));
    return caseResult;
  }

  static CaseResult minimal(Case asked) {
    Adjustment adjustment = of(asked).including(asked.names("must_include"));
    List<Set<String>> all = adjustment.minimalSets().map(AdjustmentSet::covariates).toList();
    Optional<AdjustmentSet> one = adjustment.minimal();
    CaseResult caseResult = new CaseResult(asked.expected()).expectSets("all_minimal", all);
    one.ifPresent(it -> caseResult.add("minimal", it.covariates()));
    caseResult.require(one.map(it -> all.contains(it.covariates())).orElse(all.isEmpty()));
    one.map(adjustment::estimand)
        .ifPresent(
            formula -> {
              caseResult.add("estimand", formula.toText(asked.graph().nodes()));
              Numbers.of(asked).ifPresent(numbers -> numbers.compare(formula, caseResult));
            });
    return caseResult;
  }

  private static Adjustment of(Case asked) {
    return Adjustment.of(asked.graph(), asked.required("y"), asked.required("x"));
  }
}
