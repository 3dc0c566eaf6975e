package io.equipoise.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A structural causal model of discrete variables with a linear reward, defined by a resource in
 * {@code lab/}. Levels are indices.
 */
public final class StructuralModel {
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final JsonNode json;

  private StructuralModel(JsonNode json, JsonNode tables) {
    this.json = json;
    for (JsonNode node : json.get("nodes")) {
      String name = node.get("name").asText();
      add(node, tables.has(name) ? tables.get(name) : node);
    }
  }

  /** Reads a definition from the class path. */
  public static StructuralModel resource(String path) {
    return resource(path, "");
  }

  /** Reads a definition with the tables of one of its variants; an unknown one changes nothing. */
  public static StructuralModel resource(String path, String variant) {
    JsonNode json = Resources.json(path);
    return new StructuralModel(json, json.path("variants").path(variant));
  }

  /**
   * A variable. An action has no table.
   *
   * @param place index among all variables of the model
   * @param values contributions of the levels to the reward
   * @param rows one distribution for each joint level of the parents, the first parent slowest
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Node(
      int place,
      String name,
      double[] values,
      List<String> labels,
      List<Node> parents,
      double[][] rows,
      String description) {

    /** Returns the distribution given the levels of all variables, by place. */
    public double[] row(int[] levels) {
      return rows[rowNumber(levels)];
    }

    public int rowNumber(int[] levels) {
      int row = 0;
      for (Node parent : parents) {
        row = row * parent.values().length + levels[parent.place()];
      }
      return row;
    }

    /** Returns the number of cumulative sums that are at most u, clipped to the last level. */
    public static int sample(double[] distribution, double u) {
      double sum = 0;
      int level = 0;
      for (int i = 0; i < distribution.length; i++) {
        sum += distribution[i];
        level += sum <= u ? 1 : 0;
      }
      return Math.min(level, distribution.length - 1);
    }
  }

  /** Returns the variables in the order of the definition, without the reward. */
  public Collection<Node> nodes() {
    return nodes.values();
  }

  /** Returns the number of variables, without the reward. */
  public int size() {
    return nodes.size();
  }

  public Node node(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("no variable " + name);
    }
    return node;
  }

  /** Returns the names of a role: X, A or I. */
  public List<String> role(String role) {
    return texts(json.get("roles").get(role));
  }

  /** Returns the name of the sensitive attribute; its level 1 is s+, its level 0 is s-. */
  public String sensitive() {
    return json.get("roles").get("S").asText();
  }

  /** Returns the variables whose values add up to the reward times {@link #divisor}. */
  public List<String> rewardTerms() {
    return texts(json.get("reward").get("terms"));
  }

  public double divisor() {
    return json.get("reward").get("divisor").asDouble();
  }

  public double noiseSd() {
    return json.get("reward").get("noiseSd").asDouble();
  }

  /** Returns the smallest (0) or largest (1) conditional mean of the reward. */
  public double meanRange(int end) {
    return json.get("reward").get("meanRange").get(end).asDouble();
  }

  private void add(JsonNode node, JsonNode table) {
    String name = node.get("name").asText();
    List<Node> parents = new ArrayList<>();
    int count = 1;
    for (String parent : texts(table.get("parents"))) {
      if (nodes.containsKey(parent)) {
        parents.add(node(parent));
        count *= node(parent).values().length;
      }
    }
    if (!node.has("values")) {
      return; // the reward: a sum, not a table
    }
    double[] values = Resources.numbers(node.get("values"));
    List<String> labels = texts(node.has("labels") ? node.get("labels") : node.get("values"));
    double[][] rows = new double[table.has("cpt") ? count : 0][];
    if (table.has("cpt")) {
      for (JsonNode row : table.get("cpt")) {
        rows[place(row.get("given"), parents)] = Resources.numbers(row.get("p"));
      }
    }
    String description = node.has("description") ? node.get("description").asText() : name;
    nodes.put(name, new Node(nodes.size(), name, values, labels, parents, rows, description));
  }

  private static int place(JsonNode given, List<Node> parents) {
    int place = 0;
    for (Node parent : parents) {
      double value = given.get(parent.name()).asDouble();
      int level = 0;
      while (parent.values()[level] != value) {
        level++;
      }
      place = place * parent.values().length + level;
    }
    return place;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
