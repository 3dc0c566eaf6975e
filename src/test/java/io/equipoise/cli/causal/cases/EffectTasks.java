package io.equipoise.cli.causal.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.causal.effect.Factorization;
import io.equipoise.causal.effect.Identification;
import io.equipoise.causal.effect.IdentifiedEffect;
import io.equipoise.causal.effect.SelectionRecovery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tasks about identification and recovery. */
final class EffectTasks {
  private EffectTasks() {}

  static CaseResult identify(Case asked) {
    IdentifiedEffect identifiedEffect =
        Identification.of(asked.graph())
            .effect(asked.required("y"), asked.names("do"), asked.names("given"));
    return result(asked, "identifiable", identifiedEffect);
  }

  static CaseResult identifyQ(Case asked) {
    IdentifiedEffect identifiedEffect =
        Identification.of(asked.graph()).factor(asked.required("C"), asked.required("T"));
    return result(asked, "identifiable", identifiedEffect);
  }

  static CaseResult recover(Case asked) {
    SelectionRecovery selectionRecovery = SelectionRecovery.of(asked.graph());
    Set<String> y = asked.required("y");
    Set<String> x = asked.names("do");
    Set<String> given = asked.names("given");
    if (!given.isEmpty()) {
      return result(asked, "recoverable", selectionRecovery.effect(y, x, given));
    }
    Factorization factorization = selectionRecovery.factorized(y, x);
    CaseResult caseResult = result(asked, "recoverable", factorization.effect());
    caseResult.add("factors", factors(factorization));
    JsonNode expected = asked.expected().path("factors");
    caseResult.require(!expected.isArray() || verdicts(expected).equals(verdicts(factorization)));
    return caseResult.expectNames("summed", factorization.summed());
  }

  private static CaseResult result(Case asked, String field, IdentifiedEffect identifiedEffect) {
    CaseResult caseResult =
        new CaseResult(asked.expected()).expect(field, identifiedEffect.isIdentified());
    if (identifiedEffect instanceof IdentifiedEffect.NotIdentified not) {
      caseResult.add("reason", not.reason());
    }
    identifiedEffect
        .estimand()
        .ifPresent(
            formula -> {
              caseResult.add("estimand", formula.toText(asked.graph().nodes()));
              Numbers.of(asked).ifPresent(numbers -> numbers.compare(formula, caseResult));
            });
    return caseResult;
  }

  private static List<Object> factors(Factorization factorization) {
    List<Object> result = new ArrayList<>();
    for (Factorization.Factor factor : factorization.factors()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("Q", factor.nodes());
      one.put("recoverable", factor.effect().isIdentified());
      result.add(one);
    }
    return result;
  }

  private static Map<Set<String>, Boolean> verdicts(Factorization factorization) {
    Map<Set<String>, Boolean> verdicts = new LinkedHashMap<>();
    factorization.factors().forEach(it -> verdicts.put(it.nodes(), it.effect().isIdentified()));
    return verdicts;
  }

  private static Map<Set<String>, Boolean> verdicts(JsonNode factors) {
    Map<Set<String>, Boolean> verdicts = new LinkedHashMap<>();
    factors.forEach(
        it -> verdicts.put(Case.names(it.path("Q")), it.path("recoverable").asBoolean()));
    return verdicts;
  }
}
