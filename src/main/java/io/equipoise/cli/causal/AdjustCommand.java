package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.effect.Adjustment;
import io.equipoise.causal.effect.AdjustmentSet;
import io.equipoise.causal.estimand.Estimand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists or checks covariate sets to adjust for: {@code causal adjust}. */
@Command(
    name = "adjust",
    mixinStandardHelpOptions = true,
    description = {
      "Lists covariate sets to adjust for, under confounding and selection, or checks one set.",
      "Covariates named by --external are also measured without selection.",
      "In graphs of more than 2000 nodes it finds one minimal set and lists none."
    })
final class AdjustCommand extends CausalQuestion {
  /** One minimal set takes linear time; a list, or the smallest set, up to cubic time. */
  private static final int MAX_LISTED = 2000;

  @Mixin private GraphArgument graphArgument = new GraphArgument();
  @Mixin private DataOptions data = new DataOptions();
  @Mixin private BootstrapOptions bootstrap = new BootstrapOptions();

  @Option(
      names = {"-y", "--outcome"},
      required = true,
      split = ",",
      description = "The outcome variables.")
  private List<String> y = new ArrayList<>();

  @Option(names = "--do", required = true, split = ",", description = "The treatment variables.")
  private List<String> x = new ArrayList<>();

  @Option(
      names = "--by",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "Z",
      description = "The set to check, separated by commas; empty for no covariate.")
  private @Nullable String by;

  @Option(names = "--external", split = ",", description = "Covariates measured in a census.")
  private List<String> external = new ArrayList<>();

  @Option(names = "--include", split = ",", description = "Variables that every set must contain.")
  private List<String> include = new ArrayList<>();

  @Option(
      names = "--limit",
      defaultValue = "100",
      description = "How many minimal sets are listed at most. Default: ${DEFAULT-VALUE}.")
  private long limit;

  @Override
  Reply answer() throws IOException {
    refuseUnusedData();
    excludes("--by", "--include", "--limit");
    if (limit < 1) {
      throw refused("--limit must be at least 1");
    }
    CausalGraph graph = graphArgument.read();
    Adjustment adjustment = Adjustment.of(graph, y, x).including(include);
    EffectAnswer answer = new EffectAnswer(graph);
    Optional<AdjustmentSet> chosen =
        by == null ? listed(graph, adjustment, answer) : check(graph, adjustment, by, answer);
    if (chosen.isPresent()) {
      Estimand formula = adjustment.estimand(chosen.get());
      answer.formula("P(" + String.join(", ", y) + " | do(" + String.join(", ", x) + "))", formula);
      if (data.isGiven()) {
        List<String> names = new ArrayList<>(x);
        names.addAll(y);
        answer.values(formula, names, data.evidence(graph), bootstrap.get());
      }
    }
    return answer.answer();
  }

  private Optional<AdjustmentSet> check(
      CausalGraph graph, Adjustment adjustment, String set, EffectAnswer answer) {
    List<String> z = set.isEmpty() ? List.of() : List.of(set.split(",", -1));
    Optional<String> violation = adjustment.violation(z, external);
    answer.json().put("admissible", violation.isEmpty());
    answer.json().put("violation", violation.orElse(null));
    answer.lines().add(violation.map(it -> "not admissible: " + it).orElse("admissible"));
    return violation.isPresent()
        ? Optional.empty()
        : Optional.of(
            new AdjustmentSet(graph.named(graph.bits(z)), graph.named(graph.bits(external))));
  }

  private Optional<AdjustmentSet> listed(
      CausalGraph graph, Adjustment adjustment, EffectAnswer answer) {
    boolean isLarge = graph.size() > MAX_LISTED;
    List<AdjustmentSet> sets =
        isLarge
            ? adjustment.minimal().stream().toList()
            : (external.isEmpty() ? adjustment.minimalSets() : adjustment.minimalSets(external))
                .limit(limit)
                .toList();
    List<Object> listed = new ArrayList<>();
    answer.lines().add(sets.isEmpty() ? "no set is admissible" : "minimal sets:");
    for (AdjustmentSet set : new LinkedHashSet<>(sets)) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("covariates", set.covariates());
      one.put("external", set.external());
      listed.add(one);
      String census = set.external().isEmpty() ? "" : ", in a census " + set.external();
      answer.lines().add("  " + set.covariates() + census);
    }
    answer.json().put("adjustable", !sets.isEmpty());
    answer.json().put("all_minimal", listed);
    Optional<AdjustmentSet> smallest =
        external.isEmpty() && !isLarge ? adjustment.cheapest(name -> 1) : sets.stream().findFirst();
    answer.json().put("smallest", smallest.map(AdjustmentSet::covariates).orElse(null));
    return smallest;
  }
}
