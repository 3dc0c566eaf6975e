package io.equipoise.offline.causal.cases;

import io.equipoise.causal.effect.Adjustment;
import io.equipoise.causal.effect.AdjustmentSet;
import io.equipoise.causal.estimand.Estimand;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tasks about covariate adjustment. */
final class AdjustmentTasks {
  private AdjustmentTasks() {}

  static Verdict judged(Case asked) {
    return judged(asked, "valid", Set.of());
  }

  static Verdict selection(Case asked) {
    return judged(asked, "admissible", asked.names("z_external"));
  }

  private static Verdict judged(Case asked, String field, Set<String> external) {
    Adjustment adjustment = of(asked);
    Set<String> z = asked.names("z");
    Optional<String> violation = adjustment.violation(z, external);
    Verdict verdict = new Verdict(asked.expected()).expect(field, violation.isEmpty());
    if (violation.isPresent()) {
      return verdict.tell("violation", violation.get());
    }
    Estimand formula = adjustment.estimand(new AdjustmentSet(z, external));
    verdict.tell("estimand", formula.toText(asked.graph().nodes()));
    Numbers.of(asked).ifPresent(numbers -> numbers.hold(formula, verdict));
    return verdict;
  }

  static Verdict minimal(Case asked) {
    Adjustment adjustment = of(asked).including(asked.names("must_include"));
    List<Set<String>> all = adjustment.minimalSets().map(AdjustmentSet::covariates).toList();
    Optional<AdjustmentSet> one = adjustment.minimal();
    Verdict verdict = new Verdict(asked.expected()).expectSets("all_minimal", all);
    one.ifPresent(it -> verdict.tell("minimal", it.covariates()));
    verdict.require(one.map(it -> all.contains(it.covariates())).orElse(all.isEmpty()));
    one.map(adjustment::estimand)
        .ifPresent(
            formula -> {
              verdict.tell("estimand", formula.toText(asked.graph().nodes()));
              Numbers.of(asked).ifPresent(numbers -> numbers.hold(formula, verdict));
            });
    return verdict;
  }

  private static Adjustment of(Case asked) {
    return Adjustment.of(asked.graph(), asked.required("y"), asked.required("x"));
  }
}
