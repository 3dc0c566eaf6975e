package io.equipoise.cli.causal.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.Evaluator;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The numeric part of a case: tables and true probabilities. */
record Numbers(ObservedValues observedValues, JsonNode truth) {
  static final double TOLERANCE = 1e-8;

  static Optional<Numbers> of(Case asked) {
    JsonNode numeric = asked.numeric();
    if (!numeric.isObject()) {
      return Optional.empty();
    }
    ContingencyTable table = table(numeric);
    JsonNode condition = numeric.path("conditioned_on");
    boolean isSelected = condition.isTextual() && !condition.asText().isBlank();
    ObservedValues observedValues =
        isSelected ? ObservedValues.selected(table) : ObservedValues.unselected(table);
    JsonNode external = numeric.path("external");
    for (JsonNode one : external.isArray() ? external : List.of(external)) {
      observedValues = one.isObject() ? observedValues.withUnselected(table(one)) : observedValues;
    }
    return Optional.of(new Numbers(observedValues, numeric.path("truth")));
  }

  ObservedValues evidence() {
    return observedValues;
  }

  /** Compares the estimand with every true probability. */
  void compare(Estimand estimand, CaseResult caseResult) {
    Evaluator evaluator = new Evaluator(estimand, observedValues);
    List<Double> values = new ArrayList<>();
    double worst = 0;
    boolean isRight = true;
    for (JsonNode one : truth) {
      double value = evaluator.point(levels(one));
      values.add(Double.isNaN(value) ? null : value);
      double error = Math.abs(value - one.path("prob").asDouble());
      worst = Math.max(worst, error);
      isRight &= error <= TOLERANCE;
    }
    caseResult.add("values", values);
    caseResult.add("largest_error", worst);
    caseResult.require(isRight);
  }

  /** Returns the levels of a true probability: do, given and event together. */
  static Map<String, Integer> levels(JsonNode truth) {
    Map<String, Integer> levels = new HashMap<>();
    for (String part : List.of("do", "given", "event")) {
      truth
          .path(part)
          .fields()
          .forEachRemaining(it -> levels.put(it.getKey(), it.getValue().asInt()));
    }
    return levels;
  }

  /** Levels are 0, 1, ...; variables are binary unless the table size implies otherwise. */
  private static ContingencyTable table(JsonNode node) {
    List<String> names = List.copyOf(Case.names(node.path("variables")));
    double[] weights = new double[node.path("table").size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = node.path("table").get(i).asDouble();
    }
    int levels = (int) Math.max(1, Math.round(Math.pow(weights.length, 1.0 / names.size())));
    List<Variable> variables = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      int size = node.path("cardinalities").path(i).asInt(levels);
      variables.add(
          new Variable(names.get(i), IntStream.range(0, size).mapToObj(it -> "" + it).toList()));
    }
    return ContingencyTable.dense(variables, weights);
  }
}
