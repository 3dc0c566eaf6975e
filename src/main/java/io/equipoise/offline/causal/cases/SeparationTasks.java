package io.equipoise.offline.causal.cases;

import io.equipoise.causal.Separation;
import io.equipoise.causal.Separators;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tasks about components, separation and separators. */
final class SeparationTasks {
  private SeparationTasks() {}

  static Verdict components(Case asked) {
    return new Verdict(asked.expected())
        .expectSets("components", asked.graph().projected().components());
  }

  static Verdict separation(Case asked) {
    Optional<String> path =
        Separation.openPath(
            asked.graph(), asked.required("x"), asked.required("y"), asked.names("z"));
    Verdict verdict = new Verdict(asked.expected()).expect("separated", path.isEmpty());
    path.ifPresent(it -> verdict.tell("open_path", it));
    return verdict;
  }

  static Verdict minimalSeparators(Case asked) {
    Set<String> allowed = new LinkedHashSet<>(asked.graph().observed());
    asked.names("must_exclude").forEach(asked.graph()::indexOf);
    allowed.removeAll(asked.names("must_exclude"));
    Separators separators =
        Separators.between(asked.graph(), asked.required("x"), asked.required("y"))
            .including(asked.names("must_include"))
            .among(allowed);
    List<Set<String>> all = separators.allMinimal().toList();
    Optional<Set<String>> one = separators.minimal();
    Verdict verdict = new Verdict(asked.expected()).expectSets("all_minimal", all);
    one.ifPresent(it -> verdict.tell("minimal", it));
    return verdict.require(one.map(all::contains).orElse(all.isEmpty()));
  }
}
