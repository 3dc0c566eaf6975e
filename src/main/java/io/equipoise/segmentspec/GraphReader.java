package io.equipoise.segmentspec;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.causal.GraphException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code graph} and compares it with the variables. */
final class GraphReader {
  private GraphReader() {}

  static @Nullable CausalGraph read(@Nullable Field field, VariableTable variables) {
    String text = field == null ? null : field.text();
    if (field == null || text == null) {
      return null;
    }
    CausalGraph graph;
    try {
      graph = DagittyText.parse(text);
    } catch (GraphException e) {
      String[] words = String.valueOf(e.getMessage()).split("; ", 2);
      field.fault(
          SpecFaults.shown(words[0]),
          (words.length > 1 ? words[1] + "; " : "")
              + "a graph like dag { X -> M -> R }; its lines are counted from its own first");
      return null;
    }
    checkNames(field, graph, variables);
    checkReward(field, graph, variables);
    checkFeatures(field, graph, variables);
    return graph;
  }

  private static void checkNames(Field field, CausalGraph graph, VariableTable variables) {
    Set<String> latents = graph.latents();
    for (String node : graph.nodes()) {
      if (variables.knows(node) && latents.contains(node)) {
        field.fault("the variable " + node + " as latent", "a latent node is never observed");
      } else if (!variables.knows(node) && !latents.contains(node)) {
        field.fault(
            "the node " + SpecFaults.shown(node),
            Nearest.suggestion(node, variables.names())
                + "every node is a variable or marked [latent]");
      }
    }
    for (String name : variables.names()) {
      if (!graph.contains(name)) {
        field.fault("no node " + name, "every variable is a node of the graph");
      }
    }
  }

  private static void checkReward(Field field, CausalGraph graph, VariableTable variables) {
    for (String reward : variables.names(VariableRole.REWARD)) {
      if (graph.contains(reward) && !graph.children(reward).isEmpty()) {
        field.fault(
            "the edge " + reward + " -> " + graph.children(reward).iterator().next(),
            "the reward has no children");
      }
    }
  }

  /** A person is known before the decision, so no action may cause what is known. */
  private static void checkFeatures(Field field, CausalGraph graph, VariableTable variables) {
    List<String> actions =
        variables.names(VariableRole.ACTION).stream().filter(graph::contains).toList();
    for (String node : graph.descendants(actions)) {
      VariableRole variableRole = variables.role(node);
      if (variableRole != null && variableRole.isFeature()) {
        field.fault(
            "a path from an action to " + node,
            "what is known before the arm cannot follow from it");
      }
    }
  }
}
