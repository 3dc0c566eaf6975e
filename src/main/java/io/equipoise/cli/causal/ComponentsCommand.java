package io.equipoise.cli.causal;

import io.equipoise.causal.CausalGraph;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the c-components of a graph: {@code causal components}. */
@Command(
    name = "components",
    mixinStandardHelpOptions = true,
    description = "Lists the c-components of a graph after projecting out its latent nodes.")
final class ComponentsCommand extends CausalQuestion {
  @Mixin private GraphArgument graphArgument = new GraphArgument();

  @Override
  Reply answer() throws IOException {
    CausalGraph graph = graphArgument.read().projected();
    List<Set<String>> components = graph.components();
    List<String> lines = new ArrayList<>();
    components.forEach(component -> lines.add(String.join(" ", component)));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("components", components);
    json.put("projected", graph.toString());
    json.put("topological_order", graph.topologicalOrder());
    json.put("graph_hash", graph.fingerprint());
    return new Reply(lines, json);
  }
}
