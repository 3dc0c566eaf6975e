package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Variable;
import io.equipoise.causal.effect.Factorization;
import io.equipoise.causal.effect.IdentifiedEffect;
import io.equipoise.causal.estimand.Bootstrap;
import io.equipoise.causal.estimand.Bootstrap.PercentileInterval;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.Evaluator;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Describes an effect: its formula in three notations, or why there is none, and its values. */
final class EffectAnswer {
  private final CausalGraph graph;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Object> json = new LinkedHashMap<>();

  EffectAnswer(CausalGraph graph) {
    this.graph = graph;
  }

  CausalQuestion.Reply answer() {
    return new CausalQuestion.Reply(lines, json);
  }

  /** Returns the lines so far; may be extended. */
  List<String> lines() {
    return lines;
  }

  /** Returns the fields so far; may be extended. */
  Map<String, Object> json() {
    return json;
  }

  /** Describes the whole effect; {@code verdict} is the adjective for an identified effect. */
  void effect(String title, String verdict, IdentifiedEffect identifiedEffect) {
    json.put("query", title);
    json.put(verdict, identifiedEffect.isIdentified());
    if (identifiedEffect instanceof IdentifiedEffect.NotIdentified not) {
      lines.add(title + " is not " + verdict + ": " + not.reason());
      json.put("reason", not.reason());
      json.put("factor", not.factor());
      json.put("within", not.within());
    }
    identifiedEffect.estimand().ifPresent(formula -> formula(title, formula));
  }

  void formula(String title, Estimand formula) {
    List<String> order = graph.nodes();
    lines.add(title + " = " + formula.toText(order));
    json.put("estimand", formula.toText(order));
    json.put("latex", formula.toLatex(order));
    json.put("tree", formula.toJson(order));
  }

  void factors(Factorization factorization, String verdict) {
    List<Object> factors = new ArrayList<>();
    for (Factorization.Factor factor : factorization.factors()) {
      Map<String, Object> listed = new LinkedHashMap<>();
      listed.put("Q", factor.nodes());
      listed.put(verdict, factor.effect().isIdentified());
      factor.effect().estimand().ifPresent(it -> listed.put("estimand", it.toText(graph.nodes())));
      factors.add(listed);
    }
    json.put("factors", factors);
    json.put("summed", factorization.summed());
  }

  /** Lists the value at every level of the variables; the first variable changes slowest. */
  void values(
      Estimand formula,
      List<String> names,
      ObservedValues observedValues,
      Optional<Bootstrap> bootstrap) {
    Evaluator evaluator = new Evaluator(formula, observedValues);
    List<Variable> variables = names.stream().map(observedValues::variable).toList();
    List<Object> values = new ArrayList<>();
    List<Map<String, Integer>> points = points(names, variables);
    Optional<List<PercentileInterval>> intervals =
        bootstrap.map(it -> it.intervals(formula, observedValues, points));
    for (int place = 0; place < points.size(); place++) {
      Map<String, Integer> levels = points.get(place);
      Map<String, String> labels = new LinkedHashMap<>();
      for (Variable variable : variables) {
        int level = Objects.requireNonNull(levels.get(variable.name()));
        labels.put(variable.name(), variable.levels().get(level));
      }
      Evaluator.Value value = evaluator.at(levels);
      Map<String, Object> listed = new LinkedHashMap<>();
      listed.put("at", labels);
      listed.put("value", value.estimate().isSupported() ? value.estimate().low() : null);
      listed.put("rows", value.estimate().isSupported() ? value.estimate().support() : 0);
      listed.put("spread", value.spread());
      values.add(listed);
      String shown =
          value.estimate().isSupported() ? "" + value.estimate().low() : "no supporting rows";
      if (intervals.isPresent() && value.estimate().isSupported()) {
        PercentileInterval interval = intervals.get().get(place);
        listed.put("interval", List.of(interval.low(), interval.high()));
        shown += " in [" + interval.low() + ", " + interval.high() + "]";
      }
      lines.add("  " + labels + "  " + shown);
    }
    json.put("values", values);
  }

  private static List<Map<String, Integer>> points(List<String> names, List<Variable> variables) {
    List<Map<String, Integer>> points = new ArrayList<>();
    ContingencyTable frame = ContingencyTable.of(variables, Map.of());
    for (long code = 0; code < ContingencyTable.size(variables); code++) {
      int[] at = frame.levels(code);
      Map<String, Integer> levels = new LinkedHashMap<>();
      for (int i = 0; i < at.length; i++) {
        levels.put(names.get(i), at[i]);
      }
      points.add(levels);
    }
    return points;
  }
}
