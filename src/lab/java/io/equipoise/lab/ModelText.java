package io.equipoise.lab;

import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Writes variables, graph, arms and tables of a spec as the operator of a model would: hidden
 * causes as bidirected edges, and the tables of observed variables given their observed parents.
 *
 * @param arms levels of the actions
 * @param armPrefix of the name of each arm, before its index
 * @param isPersonal whether a person's features affect the choice of the actions
 * @param counts rows of counts of mediators by their name; the other tables are exact
 */
public record ModelText(
    StructuralModel model,
    List<int[]> arms,
    String armPrefix,
    boolean isPersonal,
    Map<String, int[][]> counts) {
  private static final String REWARD = "R";

  /** Returns the lines, each with its end. */
  public String text() {
    StringBuilder text = new StringBuilder("version: 1\nsegments: default\nvariables:\n");
    for (Node node : model.declared()) {
      if (node.role() != Role.HIDDEN) {
        line(text, "  %s: {%s}", node.name(), variable(node));
      }
    }
    line(text, "  %s: {role: reward}\ngraph: \"dag { %s }\"\narms:", REWARD, graph());
    for (int arm = 0; arm < arms.size(); arm++) {
      line(text, "  - {id: %s%s}", quoted(armPrefix + arm), levels(arms.get(arm)));
    }
    String tables = tables();
    if (!tables.isEmpty()) {
      text.append("distributions:\n  cpts:\n").append(tables);
    }
    return text.toString();
  }

  static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String variable(Node node) {
    String role = "role: " + node.role().name().toLowerCase(Locale.ROOT);
    double[] numbers = node.numbers();
    if (numbers == null) {
      role += ", levels: " + node.levels().stream().map(ModelText::quoted).toList();
    } else {
      String most = number(numbers[numbers.length - 1]);
      role +=
          ", range: [0, %s], cuts: [%s], usual-range: [0, %s]"
              .formatted(
                  numbers[numbers.length - 1] > 1 ? "1000000" : "1",
                  number(numbers[numbers.length / 2]),
                  most);
    }
    String missing = node.missing() == null ? "reject" : node.missing();
    return node.isFeature() ? role + ", missing: " + missing : role;
  }

  private String levels(int[] arm) {
    List<Node> actions = model.of(Role.ACTION);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < arm.length; i++) {
      Node action = actions.get(i);
      text.append(", ").append(action.name()).append(": ");
      text.append(quoted(action.levels().get(arm[i])));
    }
    return text.toString();
  }

  private String graph() {
    List<String> edges = new ArrayList<>();
    for (Node node : model.declared()) {
      if (node.role() == Role.HIDDEN) {
        edges.add(String.join(" <-> ", children(node)));
      }
      if (node.role() != Role.ACTION) {
        seen(node.parents()).forEach(parent -> edges.add(parent.name() + " -> " + node.name()));
      }
      if (node.isFeature() && isPersonal) {
        model.of(Role.ACTION).forEach(action -> edges.add(node.name() + " -> " + action.name()));
      }
    }
    seen(model.rewardParents()).forEach(parent -> edges.add(parent.name() + " -> " + REWARD));
    return String.join("; ", edges);
  }

  private List<String> children(Node hidden) {
    List<String> children = new ArrayList<>();
    for (Node node : model.nodes()) {
      if (node.hasParent(hidden.place())) {
        children.add(node.name());
      }
    }
    if (Arrays.stream(model.rewardParents()).anyMatch(parent -> parent == hidden.place())) {
      children.add(REWARD);
    }
    return children;
  }

  private List<Node> seen(int[] places) {
    return Arrays.stream(places)
        .mapToObj(model::node)
        .filter(node -> node.role() != Role.HIDDEN)
        .toList();
  }

  /** Returns the tables of variables that follow from an arm, or may be undisclosed. */
  private String tables() {
    StringBuilder text = new StringBuilder();
    for (Node node : model.declared()) {
      List<Node> parents = seen(node.parents());
      boolean isSeen = parents.size() == node.parents().length;
      boolean hasLevels =
          node.numbers() == null && parents.stream().allMatch(parent -> parent.numbers() == null);
      if (node.role() == Role.MEDIATOR || (node.isFeature() && isSeen && hasLevels)) {
        List<String> given = parents.stream().map(Node::name).toList();
        String kind = counts.containsKey(node.name()) ? "counts" : "rows";
        line(text, "    %s: {given: %s, %s: %s}", node.name(), given, kind, rows(node, parents));
      }
    }
    return text.toString();
  }

  private List<List<String>> rows(Node node, List<Node> parents) {
    int[] places = parents.stream().mapToInt(Node::place).toArray();
    int[][] counted = counts.get(node.name());
    List<List<String>> rows = new ArrayList<>();
    for (int row = 0; row < StructuralModel.cells(model.nodes(), places); row++) {
      int[] levels = new int[model.nodes().size()];
      StructuralModel.setCell(model.nodes(), places, row, levels);
      List<String> cells = new ArrayList<>();
      parents.forEach(parent -> cells.add(quoted(parent.levels().get(levels[parent.place()]))));
      DoubleStream own =
          counted == null
              ? Arrays.stream(withoutHidden(node, levels))
              : Arrays.stream(counted[row]).asDoubleStream();
      own.forEach(number -> cells.add(number(number)));
      rows.add(cells);
    }
    return rows;
  }

  /** Returns a row averaged over hidden parents, which have no parents themselves. */
  private double[] withoutHidden(Node node, int[] levels) {
    int[] hidden =
        Arrays.stream(node.parents()).filter(it -> model.node(it).role() == Role.HIDDEN).toArray();
    double[] row = new double[node.levels().size()];
    for (int cell = 0; cell < StructuralModel.cells(model.nodes(), hidden); cell++) {
      StructuralModel.setCell(model.nodes(), hidden, cell, levels);
      double weight = 1;
      for (int parent : hidden) {
        weight *= model.node(parent).rows()[0][levels[parent]];
      }
      double[] own = model.row(node, levels);
      for (int level = 0; level < row.length; level++) {
        row[level] += weight * own[level];
      }
    }
    return row;
  }

  private static String quoted(String name) {
    return "\"" + name + "\"";
  }

  /** Writes a number as a spec does. */
  public static String number(double number) {
    return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
  }
}
