package io.equipoise.offline.causal.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.causal.effect.Effect;
import io.equipoise.causal.effect.Factorization;
import io.equipoise.causal.effect.Identification;
import io.equipoise.causal.effect.Recovery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tasks about identification and recovery. */
final class EffectTasks {
  private EffectTasks() {}

  static Verdict identify(Case asked) {
    Effect effect =
        Identification.of(asked.graph())
            .effect(asked.required("y"), asked.names("do"), asked.names("given"));
    return told(asked, "identifiable", effect);
  }

  static Verdict identifyQ(Case asked) {
    Effect effect =
        Identification.of(asked.graph()).factor(asked.required("C"), asked.required("T"));
    return told(asked, "identifiable", effect);
  }

  static Verdict recover(Case asked) {
    Recovery recovery = Recovery.of(asked.graph());
    Set<String> y = asked.required("y");
    Set<String> x = asked.names("do");
    Set<String> given = asked.names("given");
    if (!given.isEmpty()) {
      return told(asked, "recoverable", recovery.effect(y, x, given));
    }
    Factorization factorization = recovery.factorized(y, x);
    Verdict verdict = told(asked, "recoverable", factorization.effect());
    verdict.tell("factors", factors(factorization));
    JsonNode expected = asked.expected().path("factors");
    verdict.require(!expected.isArray() || verdicts(expected).equals(verdicts(factorization)));
    return verdict.expectNames("summed", factorization.summed());
  }

  private static Verdict told(Case asked, String field, Effect effect) {
    Verdict verdict = new Verdict(asked.expected()).expect(field, effect.isIdentified());
    if (effect instanceof Effect.NotIdentified not) {
      verdict.tell("reason", not.reason());
    }
    effect
        .estimand()
        .ifPresent(
            formula -> {
              verdict.tell("estimand", formula.toText(asked.graph().nodes()));
              Numbers.of(asked).ifPresent(numbers -> numbers.hold(formula, verdict));
            });
    return verdict;
  }

  private static List<Object> factors(Factorization factorization) {
    List<Object> told = new ArrayList<>();
    for (Factorization.Factor factor : factorization.factors()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("Q", factor.nodes());
      one.put("recoverable", factor.effect().isIdentified());
      told.add(one);
    }
    return told;
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
