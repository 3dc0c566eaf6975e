package io.equipoise.causal.bounds;

import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.CellRule;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.Estimate;
import io.equipoise.causal.estimand.ObservedValues;
import io.equipoise.event.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Evaluates one plan: counts the distinct cells of all records, then bounds each record. */
final class PlanEvaluation {
  private final BoundPlan plan;
  private final ObservedValues observedValues;
  private final Confidence confidence;
  private final CellRules rules;
  private final List<Variable> asked = new ArrayList<>();
  private final int outcomeLevel;
  private final String formula;

  PlanEvaluation(
      BoundPlan plan, ObservedValues observedValues, Confidence confidence, CellRules rules) {
    this.rules = rules;
    this.plan = plan;
    this.observedValues = observedValues;
    this.confidence = confidence;
    plan.scopes().forEach(scope -> observedValues.require(scope.variables(), scope.isSelected()));
    plan.query().arm().forEach(name -> asked.add(observedValues.variable(name)));
    plan.query().context().forEach(name -> asked.add(observedValues.variable(name)));
    formula = plan.toText(name -> observedValues.variable(name).size());
    outcomeLevel = observedValues.variable(plan.query().outcome()).indexOf(plan.query().level());
  }

  List<BoundRecord> records() {
    int cells = countCells();
    FormulaEvaluation evaluation =
        new FormulaEvaluation(
            observedValues, confidence.rule(cells, rules), plan.mode() == BoundMode.TABLE1);
    String tableHash = tableHash();
    List<BoundRecord> records = new ArrayList<>();
    for (long code = 0; code < size(); code++) {
      records.add(record(code, evaluation, cells, tableHash));
    }
    return records;
  }

  private int countCells() {
    Set<Object> cells = new HashSet<>();
    CellRule counting =
        cell -> {
          cells.add(List.of(cell.probability(), cell.code()));
          return Estimate.VACUOUS;
        };
    FormulaEvaluation evaluation = new FormulaEvaluation(observedValues, counting, false);
    for (long code = 0; code < size(); code++) {
      for (BoundPart part : plan.parts()) {
        evaluation.range(part.formula(), levels(code));
      }
    }
    return cells.size();
  }

  private BoundRecord record(long code, FormulaEvaluation evaluation, int cells, String tableHash) {
    Map<String, Integer> levels = levels(code);
    Range all = Range.VACUOUS;
    for (BoundPart part : plan.parts()) {
      Range range = evaluation.range(part.formula(), levels);
      all = all.with(Math.max(all.low(), range.low()), Math.min(all.high(), range.high()), range);
    }
    Set<BoundFlag> flags = EnumSet.noneOf(BoundFlag.class);
    double lower = Math.min(all.low(), all.high());
    double upper = Math.max(all.low(), all.high());
    mark(flags, BoundFlag.WIDENED, all.low() > all.high());
    mark(flags, BoundFlag.UNSUPPORTED, !all.isSupported());
    mark(flags, BoundFlag.VACUOUS, lower <= 0 && upper >= 1);
    return new BoundRecord(
        labels(plan.query().arm(), levels),
        labels(plan.query().context(), levels),
        lower,
        upper,
        plan.mode(),
        plan.parts().stream().map(BoundPart::w).toList(),
        formula,
        all.rows() == Double.POSITIVE_INFINITY ? 0 : all.rows(),
        cells,
        confidence.delta(),
        all.spread(),
        plan.graphHash(),
        tableHash,
        flags);
  }

  private static void mark(Set<BoundFlag> flags, BoundFlag flag, boolean isSet) {
    if (isSet) {
      flags.add(flag);
    }
  }

  private Map<String, String> labels(List<String> names, Map<String, Integer> levels) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (String name : names) {
      labels.put(name, observedValues.variable(name).levels().get(levels.get(name)));
    }
    return labels;
  }

  private long size() {
    return ContingencyTable.size(asked);
  }

  private Map<String, Integer> levels(long code) {
    Map<String, Integer> levels = new HashMap<>();
    long rest = code;
    for (int i = asked.size() - 1; i >= 0; i--) {
      Variable variable = asked.get(i);
      levels.put(variable.name(), (int) (rest % variable.size()));
      rest /= variable.size();
    }
    levels.put(plan.query().outcome(), outcomeLevel);
    return levels;
  }

  private String tableHash() {
    StringBuilder text = new StringBuilder();
    for (ContingencyTable table : observedValues.tables()) {
      text.append(table.variables()).append('\n');
      for (long code : table.codes()) {
        text.append(code).append(' ').append(table.weight(code)).append('\n');
      }
    }
    return Sha256.hex(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
