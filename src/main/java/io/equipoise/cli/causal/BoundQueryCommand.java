package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.Variable;
import io.equipoise.causal.bounds.BoundMode;
import io.equipoise.causal.bounds.BoundPart;
import io.equipoise.causal.bounds.BoundPlan;
import io.equipoise.causal.bounds.BoundPlanner;
import io.equipoise.causal.bounds.BoundQuery;
import io.equipoise.causal.bounds.BoundRecord;
import io.equipoise.causal.bounds.Chain;
import io.equipoise.causal.bounds.Confidence;
import io.equipoise.causal.bounds.Scope;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.cli.NumberLimit;
import io.equipoise.cli.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Bounds P(y | do(x), given) from a graph and rows: {@code causal bounds}. */
@Command(
    name = "bounds",
    mixinStandardHelpOptions = true,
    description = {
      "Plans bounds on P(y | do(x), given) from the graph, and evaluates them if rows are given."
    })
final class BoundQueryCommand extends CausalQuestion {
  @Mixin private GraphArgument graphArgument = new GraphArgument();
  @Mixin private EffectOptions options = new EffectOptions();
  @Mixin private DataOptions data = new DataOptions();

  @Option(
      names = "--level",
      defaultValue = "1",
      description = "The level of the outcome that is bounded. Default: ${DEFAULT-VALUE}.")
  private String level = "1";

  @Option(
      names = "--mode",
      defaultValue = "SOUND",
      description =
          "${COMPLETION-CANDIDATES}; only SOUND is valid in general. Default: "
              + "${DEFAULT-VALUE}.")
  private BoundMode mode = BoundMode.SOUND;

  @Option(
      names = "--max-size",
      defaultValue = "3",
      description =
          "The largest set that is marginalized or set to extremes. Default: ${DEFAULT-VALUE}.")
  private int maxSize;

  @Option(
      names = "--delta",
      defaultValue = "0.05",
      description =
          "Probability that any bound is wrong by sampling; 0 uses relative frequencies as"
              + " probabilities. Default: ${DEFAULT-VALUE}.")
  private double delta;

  @Override
  Reply answer() throws IOException {
    requires("--count", "--table", "--census");
    if (maxSize < 0) {
      throw refused("--max-size must be at least 0");
    }
    if (delta != 0 && !NumberLimit.DELTA.admits(delta)) {
      throw refused(NumberLimit.DELTA.fault("--delta", delta) + ", or 0");
    }
    CausalGraph graph = graphArgument.read();
    if (options.y.size() != 1) {
      throw new GraphException("bounds need exactly one outcome; " + options.y + " given");
    }
    BoundPlanner planner = BoundPlanner.of(graph).withMaxSize(maxSize);
    Optional<ContingencyTable> census = data.census(graph);
    if (census.isPresent()) {
      planner = planner.withCensus(census.get().variables().stream().map(Variable::name).toList());
    }
    BoundQuery query = new BoundQuery(options.y.get(0), level, options.x, options.given);
    BoundPlan plan = planner.plan(query, mode);
    Map<String, Object> json = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    List<BoundRecord> records =
        data.isGiven() ? plan.evaluate(data.evidence(graph), new Confidence(delta)) : List.of();
    json.put("formula", records.isEmpty() ? plan.toText() : records.get(0).formula());
    tell(plan, planner, graph, json, lines);
    if (!records.isEmpty()) {
      json.put("bounds", records);
      lines.addAll(table(records));
    }
    return new Reply(lines, json);
  }

  private void tell(
      BoundPlan plan,
      BoundPlanner planner,
      CausalGraph graph,
      Map<String, Object> json,
      List<String> lines) {
    json.put("query", options.title());
    json.put("mode", mode.name());
    json.put("graph_hash", plan.graphHash());
    json.put("w", plan.parts().stream().map(BoundPart::w).toList());
    json.put("scopes", plan.scopes().stream().map(BoundQueryCommand::scope).toList());
    lines.add(options.title() + " in " + json.get("formula"));
    if (mode == BoundMode.SOUND) {
      List<Object> chains = new ArrayList<>();
      for (Chain chain : planner.chains(options.y.get(0), options.x, options.given)) {
        Map<String, Object> listed = new LinkedHashMap<>();
        listed.put("W", chain.variables());
        listed.put("w_recoverable", chain.weights().stream().map(Optional::isPresent).toList());
        listed.put("estimand", chain.value().toText(graph.nodes()));
        chains.add(listed);
      }
      json.put("plans", chains);
    }
    for (Scope scope : plan.scopes()) {
      lines.add(
          "counts needed of "
              + (scope.isSelected() ? "selected" : "unselected")
              + " rows over "
              + scope.variables());
    }
  }

  private static Map<String, Object> scope(Scope scope) {
    Map<String, Object> listed = new LinkedHashMap<>();
    listed.put("variables", scope.variables());
    listed.put("selected", scope.isSelected());
    return listed;
  }

  private static List<String> table(List<BoundRecord> records) {
    TextTable table = new TextTable("arm", "context", "lower", "upper", "rows", "flags");
    for (BoundRecord record : records) {
      table.row(
          record.arm().toString(),
          record.context().toString(),
          String.format(Locale.ROOT, "%.4f", record.lower()),
          String.format(Locale.ROOT, "%.4f", record.upper()),
          String.format(Locale.ROOT, "%.0f", record.rows()),
          record.flags().toString());
    }
    return table.lines();
  }
}
