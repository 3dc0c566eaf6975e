package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Separation;
import io.equipoise.causal.Separators;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks or finds sets that separate two nodes: {@code causal separate}. */
@Command(
    name = "separate",
    mixinStandardHelpOptions = true,
    description = {
      "Checks whether a set separates x from y, or, without --by, finds and lists separators.",
      "In graphs of more than 2000 nodes it finds one minimal separator and lists none."
    })
final class SeparateCommand extends CausalQuestion {
  /** One minimal separator takes linear time; a list, or the smallest one, up to cubic time. */
  private static final int MAX_LISTED = 2000;

  @Mixin private GraphArgument graphArgument = new GraphArgument();

  @Option(names = "-x", required = true, split = ",", description = "The variables on one side.")
  private List<String> x = new ArrayList<>();

  @Option(
      names = "-y",
      required = true,
      split = ",",
      description = "The variables on the other side.")
  private List<String> y = new ArrayList<>();

  @Option(
      names = "--by",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "Z",
      description = "The set to check, separated by commas; empty for no variable.")
  private @Nullable String by;

  @Option(
      names = "--include",
      split = ",",
      description = "Variables that every separator must contain.")
  private List<String> include = new ArrayList<>();

  @Option(
      names = "--exclude",
      split = ",",
      description = "Variables that no separator may contain.")
  private List<String> exclude = new ArrayList<>();

  @Option(
      names = "--limit",
      defaultValue = "100",
      description = "How many minimal separators are listed at most. Default: ${DEFAULT-VALUE}.")
  private long limit;

  @Override
  Reply answer() throws IOException {
    excludes("--by", "--include", "--exclude", "--limit");
    if (include.stream().anyMatch(exclude::contains)) {
      throw refused(
          "--include %s and --exclude %s contradict each other".formatted(include, exclude));
    }
    if (limit < 1) {
      throw refused("--limit must be at least 1");
    }
    CausalGraph graph = graphArgument.read();
    return by == null ? found(graph) : check(graph, by);
  }

  private Reply check(CausalGraph graph, String set) {
    List<String> z = set.isEmpty() ? List.of() : List.of(set.split(",", -1));
    Optional<String> path = Separation.openPath(graph, x, y, z);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("separated", path.isEmpty());
    json.put("open_path", path.orElse(null));
    String line = path.map(it -> "not separated: " + it + " is open").orElse("separated");
    return new Reply(List.of(line), json);
  }

  private Reply found(CausalGraph graph) {
    Set<String> allowed = new LinkedHashSet<>(graph.observed());
    exclude.forEach(graph::indexOf);
    allowed.removeAll(exclude);
    Separators separators = Separators.between(graph, x, y).including(include).among(allowed);
    Optional<Set<String>> minimal = separators.minimal();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("separable", minimal.isPresent());
    json.put("minimal", minimal.orElse(null));
    if (graph.size() > MAX_LISTED) {
      String line =
          minimal.map(it -> "a minimal separator: " + it).orElse("nothing separates them");
      return new Reply(List.of(line), json);
    }
    List<Set<String>> all = separators.allMinimal().limit(limit).toList();
    json.put("smallest", separators.cheapest(name -> 1).orElse(null));
    json.put("all_minimal", all);
    List<String> lines = new ArrayList<>();
    lines.add(
        minimal.isPresent()
            ? "minimal separators (" + all.size() + (all.size() == limit ? " or more):" : "):")
            : "nothing separates them");
    all.forEach(set -> lines.add("  " + set));
    return new Reply(lines, json);
  }
}
