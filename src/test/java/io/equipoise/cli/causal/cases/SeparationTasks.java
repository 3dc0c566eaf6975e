package io.equipoise.cli.causal.cases;

import io.equipoise.causal.Separation;
import io.equipoise.causal.Separators;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tasks about components, separation and separators. */
final class SeparationTasks {
  private SeparationTasks() {}

  static CaseResult components(Case asked) {
    return new CaseResult(asked.expected())
        .expectSets("components", asked.graph().projected().components());
  }

  static CaseResult separation(Case asked) {
    Optional<String> path =
        Separation.openPath(
            asked.graph(), asked.required("x"), asked.required("y"), asked.names("z"));
    CaseResult caseResult = new CaseResult(asked.expected()).expect("separated", path.isEmpty());
    path.ifPresent(it -> caseResult.add("open_path", it));
    return caseResult;
  }

  static CaseResult minimalSeparators(Case asked) {
    Set<String> allowed = new LinkedHashSet<>(asked.graph().observed());
    asked.names("must_exclude").forEach(asked.graph()::indexOf);
    allowed.removeAll(asked.names("must_exclude"));
    Separators separators =
        Separators.between(asked.graph(), asked.required("x"), asked.required("y"))
            .including(asked.names("must_include"))
            .among(allowed);
    List<Set<String>> all = separators.allMinimal().toList();
    Optional<Set<String>> one = separators.minimal();
    CaseResult caseResult = new CaseResult(asked.expected()).expectSets("all_minimal", all);
    one.ifPresent(it -> caseResult.add("minimal", it));
    return caseResult.require(one.map(all::contains).orElse(all.isEmpty()));
  }
}
