package io.equipoise.cli.causal.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.causal.bounds.BoundPlan;
import io.equipoise.causal.bounds.BoundPlanner;
import io.equipoise.causal.bounds.BoundQuery;
import io.equipoise.causal.bounds.BoundRecord;
import io.equipoise.causal.bounds.Chain;
import io.equipoise.causal.bounds.Confidence;
import io.equipoise.causal.bounds.FindRsi;
import io.equipoise.causal.effect.Adjustment;
import io.equipoise.causal.effect.AdjustmentSet;
import io.equipoise.causal.effect.IdentifiedEffect;
import io.equipoise.causal.effect.SelectionRecovery;
import io.equipoise.causal.estimand.Evaluator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tasks about bounds. */
final class BoundTasks {
  private static final int MAX_SIZE = 3;

  private BoundTasks() {}

  /**
   * Every expected plan must be found, with the same verdict on each weight and an estimand of the
   * same value. Additional plans are only listed, since every plan is valid. If no plan is
   * expected, none may be found.
   */
  static CaseResult plans(Case asked) {
    Set<String> outcome = asked.required("y");
    if (outcome.size() != 1) {
      throw new CaseException("a plan is for one outcome, got " + outcome);
    }
    String y = outcome.iterator().next();
    List<String> x = List.copyOf(asked.names("do"));
    List<String> c = List.copyOf(asked.names("given"));
    JsonNode plans = asked.expected().path("plans");
    int size = MAX_SIZE;
    for (JsonNode plan : plans) {
      size = Math.max(size, plan.path("W").size());
    }
    BoundPlanner planner = BoundPlanner.of(asked.graph()).withMaxSize(size);
    List<Chain> chains = planner.chains(y, x, c);
    CaseResult caseResult = new CaseResult(asked.expected());
    caseResult.add("plans", chains.stream().map(BoundTasks::listed).toList());
    if (!plans.isArray()) {
      throw new CaseException("nothing is expected of \"plans\"");
    }
    caseResult.require(plans.isEmpty() == chains.isEmpty());
    for (JsonNode plan : plans) {
      List<String> w = List.copyOf(Case.names(plan.path("W")));
      Optional<Chain> ours = planner.chain(y, x, c, w);
      caseResult.require(ours.isPresent() && matches(asked, plan, ours.get(), y, x, c));
    }
    Numbers.of(asked)
        .ifPresent(numbers -> bounds(numbers, planner.plan(BoundQuery.of(y, x, c)), caseResult));
    return caseResult;
  }

  private static boolean matches(
      Case asked, JsonNode plan, Chain ours, String y, List<String> x, List<String> c) {
    List<Boolean> weights = ours.weights().stream().map(Optional::isPresent).toList();
    List<Boolean> expected = new ArrayList<>();
    plan.path("w_recoverable").forEach(it -> expected.add(it.asBoolean()));
    boolean areWeightsRight =
        plan.path("w_recoverable").isMissingNode() || expected.equals(weights);
    Set<String> named = new LinkedHashSet<>(x);
    named.add(y);
    named.addAll(c);
    named.addAll(ours.variables());
    return areWeightsRight
        && (!plan.path("estimand").isTextual()
            || SameValue.of(asked.graph(), named, plan.path("estimand").asText(), ours.value()));
  }

  private static Map<String, Object> listed(Chain chain) {
    Map<String, Object> listed = new LinkedHashMap<>();
    listed.put("W", chain.variables());
    listed.put("w_recoverable", chain.weights().stream().map(Optional::isPresent).toList());
    listed.put("estimand", chain.value().toText());
    return listed;
  }

  /** Bounds on an event must contain its probability, and equal the expected ones, if any. */
  private static void bounds(Numbers numbers, BoundPlan plan, CaseResult caseResult) {
    List<BoundRecord> records = plan.evaluate(numbers.evidence(), Confidence.NONE);
    List<Object> listed = new ArrayList<>();
    for (JsonNode truth : numbers.truth()) {
      Map<String, Integer> levels = Numbers.levels(truth);
      boolean isOne = levels.getOrDefault(plan.query().outcome(), 1) == 1;
      for (BoundRecord record : records) {
        if (isAt(record.arm(), levels) && isAt(record.context(), levels)) {
          double low = isOne ? record.lower() : 1 - record.upper();
          double high = isOne ? record.upper() : 1 - record.lower();
          listed.add(List.of(low, high));
          double prob = truth.path("prob").asDouble();
          caseResult.require(low - Numbers.TOLERANCE <= prob && prob <= high + Numbers.TOLERANCE);
          JsonNode expected = truth.path("cbi_bounds");
          caseResult.require(
              expected.isMissingNode()
                  || (Math.abs(expected.path(0).asDouble() - low) <= Numbers.TOLERANCE
                      && Math.abs(expected.path(1).asDouble() - high) <= Numbers.TOLERANCE));
        }
      }
    }
    caseResult.add("bounds", listed);
  }

  private static boolean isAt(Map<String, String> labels, Map<String, Integer> levels) {
    return labels.entrySet().stream()
        .allMatch(it -> it.getValue().equals("" + levels.get(it.getKey())));
  }

  /** Finds sets up to the size of the largest expected one, and at least {@value #MAX_SIZE}. */
  static CaseResult surrogates(Case asked) {
    JsonNode expected = asked.expected().path("D");
    if (!expected.isArray()) {
      throw new CaseException("nothing is expected of \"D\"");
    }
    Set<Set<String>> wanted = new HashSet<>();
    int size = MAX_SIZE;
    for (JsonNode set : expected) {
      Set<String> w = Case.names(set.isObject() ? set.path("W") : set);
      size = Math.max(size, w.size());
      wanted.add(w);
    }
    Set<String> y = new LinkedHashSet<>(asked.required("y"));
    y.addAll(asked.names("given"));
    FindRsi rsi = FindRsi.of(asked.graph(), y, asked.names("do"));
    Set<Set<String>> found = new LinkedHashSet<>();
    List<Object> listed = new ArrayList<>();
    for (FindRsi.Surrogate surrogate : rsi.surrogates(size)) {
      found.add(surrogate.w());
      listed.add(Map.of("W", surrogate.w(), "adjustment_set", surrogate.adjustment().covariates()));
    }
    CaseResult caseResult = new CaseResult(asked.expected());
    caseResult.add("D", found).add("surrogates", listed);
    // W = {} is adjustment alone; a list of surrogates may leave it out.
    wanted.remove(Set.of());
    boolean isTold = expected.size() > wanted.size();
    caseResult.require(!isTold || found.contains(Set.<String>of()));
    Set<Set<String>> proper = new HashSet<>(found);
    proper.remove(Set.of());
    return caseResult.require(wanted.equals(proper));
  }

  static CaseResult soundness(Case asked) {
    Set<String> y = new LinkedHashSet<>(asked.required("y"));
    y.addAll(asked.names("given"));
    Set<String> x = asked.names("do");
    Set<String> w = asked.required("W");
    FindRsi rsi = FindRsi.of(asked.graph(), y, x);
    CaseResult caseResult = new CaseResult(asked.expected());
    caseResult.expectIfGiven("exchange_condition_holds", rsi.isExchangeable(w));
    caseResult.expectIfGiven("W_must_be_rejected", rsi.surrogate(w).isEmpty());
    if (asked.query().has("adjustment_set")) {
      Set<String> z = asked.names("adjustment_set");
      caseResult.expectIfGiven("adjustment_admissible", rsi.isAdjustment(w, z));
    }
    Numbers.of(asked).ifPresent(numbers -> values(asked, numbers, caseResult));
    return caseResult;
  }

  /** Lists P_{x,w}(y) at every w, and P_x(y) if it is recovered, at the requested levels. */
  private static void values(Case asked, Numbers numbers, CaseResult caseResult) {
    Set<String> y = asked.required("y");
    Set<String> held = new LinkedHashSet<>(asked.names("do"));
    Map<String, Integer> levels = new HashMap<>();
    y.forEach(name -> levels.put(name, 1));
    asked
        .query()
        .path("do")
        .fields()
        .forEachRemaining(it -> levels.put(it.getKey(), it.getValue().asInt()));
    IdentifiedEffect identifiedEffect = SelectionRecovery.of(asked.graph()).effect(y, held);
    identifiedEffect
        .estimand()
        .ifPresent(
            it -> {
              double value = new Evaluator(it, numbers.evidence()).point(levels);
              JsonNode truth = asked.expected().path("truth");
              caseResult.add("truth", value);
              caseResult.require(
                  !truth.isNumber() || Math.abs(truth.asDouble() - value) <= Numbers.TOLERANCE);
            });
    held.addAll(asked.names("W"));
    Optional<AdjustmentSet> set = Adjustment.of(asked.graph(), y, held).minimal();
    if (set.isPresent() && asked.names("W").size() == 1) {
      String w = asked.names("W").iterator().next();
      Evaluator evaluator =
          new Evaluator(
              Adjustment.of(asked.graph(), y, held).estimand(set.get()), numbers.evidence());
      List<Double> values = new ArrayList<>();
      for (int level = 0; level < numbers.evidence().variable(w).size(); level++) {
        levels.put(w, level);
        values.add(evaluator.point(levels));
      }
      caseResult.add("P_xw", values);
    }
  }
}
