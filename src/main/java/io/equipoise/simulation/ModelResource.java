package io.equipoise.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a structural model from JSON; its mean reward is a sum of values of its parents. */
final class ModelResource {
  private final JsonNode json;
  private final JsonNode roles;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final List<double[]> values = new ArrayList<>();

  /**
   * Reads the variables.
   *
   * @param variant its tables replace those of the variables
   */
  ModelResource(JsonNode json, String variant) {
    this.json = json;
    roles = json.get("roles");
    JsonNode variants = json.path("variants").path(variant);
    for (JsonNode node : json.get("nodes")) {
      if (node.has("values")) { // else it is the reward
        add(node, variants.path(node.get("name").asText()));
      }
    }
  }

  StructuralModel model() {
    List<Node> declared = new ArrayList<>();
    List.of("X", "A", "I").forEach(role -> declared.addAll(named(roles.get(role))));
    JsonNode reward = json.get("reward");
    int[] terms = places(named(reward.get("terms")));
    return StructuralModel.of(
        List.copyOf(nodes.values()),
        declared,
        levels -> {
          double sum = 0;
          for (int term : terms) {
            sum += values.get(term)[levels[term]];
          }
          return sum / reward.get("divisor").asDouble();
        },
        reward.get("noiseSd").asDouble(),
        terms);
  }

  private void add(JsonNode node, JsonNode variant) {
    String name = node.get("name").asText();
    Role role = role(name);
    JsonNode table = variant.isMissingNode() ? node : variant;
    JsonNode cpt = table.path("cpt");
    List<Node> parents = cpt.isMissingNode() ? List.of() : named(table.get("parents"));
    double[][] rows = new double[cpt.size()][];
    for (JsonNode row : cpt) {
      rows[cell(row.get("given"), parents)] = Resources.numbers(row.get("p"));
    }
    List<String> labels = texts(node.has("labels") ? node.get("labels") : node.get("values"));
    nodes.put(name, new Node(nodes.size(), name, role, labels, places(parents), rows));
    values.add(Resources.numbers(node.get("values")));
  }

  private Role role(String name) {
    boolean isSensitive = name.equals(roles.get("S").asText());
    return texts(roles.get("A")).contains(name)
        ? Role.ACTION
        : texts(roles.get("I")).contains(name)
            ? Role.MEDIATOR
            : isSensitive ? Role.SENSITIVE : Role.CONTEXT;
  }

  private int cell(JsonNode given, List<Node> parents) {
    int cell = 0;
    for (Node parent : parents) {
      double value = given.get(parent.name()).asDouble();
      int level = 0;
      while (values.get(parent.place())[level] != value) {
        level++;
      }
      cell = cell * parent.levels().size() + level;
    }
    return cell;
  }

  private List<Node> named(JsonNode names) {
    return texts(names).stream().map(nodes::get).toList();
  }

  private static int[] places(List<Node> nodes) {
    return nodes.stream().mapToInt(Node::place).toArray();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
