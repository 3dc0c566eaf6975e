package io.equipoise.lab.campaign;

import io.equipoise.lab.campaign.CampaignTrial.Effect;
import io.equipoise.lab.campaign.CampaignTrial.Rewards;
import io.equipoise.lab.campaign.Node.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the spec of a world as its operator would: hidden causes as bidirected edges, and the
 * tables of observed variables given their observed parents.
 */
final class WorldSpecText {
  static final String REWARD = "R";
  static final double DELTA = 0.05;

  private final CampaignWorld world;
  private final CampaignTrial trial;

  WorldSpecText(CampaignTrial trial) {
    world = trial.world();
    this.trial = trial;
  }

  String text() {
    StringBuilder text = new StringBuilder("name: w\nversion: 1\nsegments: default\nseed: 7\n");
    text.append("variables:\n");
    for (Node node : world.nodes()) {
      if (node.kind() != Kind.HIDDEN) {
        text.append("  ").append(node.name()).append(": {").append(variable(node)).append("}\n");
      }
    }
    text.append("  R: {role: reward}\ngraph: \"").append(graph()).append("\"\narms:\n");
    Node action = world.node(world.action());
    for (int arm = 0; arm < action.levels(); arm++) {
      text.append("  - {id: a%d, A: a%d}%n".formatted(arm, arm));
    }
    String tables = tables();
    if (!tables.isEmpty()) {
      text.append("distributions:\n  cpts:\n").append(tables);
    }
    text.append("reward: ").append(trial.reward()).append('\n');
    text.append("policy: ").append(trial.policy()).append('\n');
    text.append("fairness: {tau: ").append(number(trial.tau()));
    text.append(", delta: ").append(number(DELTA));
    text.append(trial.confidence().isEmpty() ? "" : ", confidence: " + trial.confidence());
    text.append(trial.intersections() ? ", intersections: true}\n" : "}\n");
    text.append("join: {early-reward-timeout: 30s, dedup-window: ")
        .append(window())
        .append(", reward-window: ");
    text.append(window()).append(", fallback: a0}\n");
    return text.append("metrics: {every: 1000}\non-incompatible-change: reject\n").toString();
  }

  private String window() {
    return trial.rewards() == Rewards.SUCCESSES
        ? WorldPlay.LONG_WINDOW_SECONDS + "s"
        : WorldPlay.WINDOW_SECONDS + "s";
  }

  private static String variable(Node node) {
    StringBuilder text = new StringBuilder("role: ");
    text.append(node.kind().name().toLowerCase(Locale.ROOT));
    double[] numbers = node.numbers();
    if (numbers == null) {
      text.append(", levels: ").append(levels(node));
    } else {
      text.append(", range: [0, ").append(numbers[numbers.length - 1] > 1 ? "1000000" : "1");
      text.append("], cuts: [").append(number(numbers[numbers.length / 2])).append(']');
      text.append(", usual-range: [0, ").append(number(numbers[numbers.length - 1])).append(']');
    }
    if (node.isFeature()) {
      text.append(", missing: ").append(node.missing() == null ? "reject" : node.missing());
    }
    return text.toString();
  }

  private static List<String> levels(Node node) {
    return IntStream.range(0, node.levels()).mapToObj(node::level).toList();
  }

  private String graph() {
    List<String> edges = new ArrayList<>();
    for (int place = 0; place < world.nodes().size(); place++) {
      Node node = world.node(place);
      if (node.kind() == Kind.HIDDEN) {
        edges.add(String.join(" <-> ", world.joined(place)));
      }
      for (String parent : seenParents(node.parents())) {
        edges.add(parent + " -> " + node.name());
      }
      if (node.isFeature() && trial.effect() != Effect.TERMINAL) {
        edges.add(node.name() + " -> A");
      }
    }
    for (String parent : seenParents(world.rewardParents())) {
      edges.add(parent + " -> " + REWARD);
    }
    return "dag { " + String.join("; ", edges) + " }";
  }

  private List<String> seenParents(int[] parents) {
    return Arrays.stream(parents)
        .mapToObj(world.nodes()::get)
        .filter(node -> node.kind() != Kind.HIDDEN)
        .map(Node::name)
        .toList();
  }

  /** Returns the tables of what has levels and follows from an arm, or may be undisclosed. */
  private String tables() {
    StringBuilder text = new StringBuilder();
    for (Node node : world.nodes()) {
      boolean isJoined = Arrays.stream(node.parents()).anyMatch(this::isHidden);
      boolean isKnown =
          node.kind() == Kind.MEDIATOR
              || (node.isFeature() && !isJoined && node.numbers() == null && hasLevels(node));
      if (isKnown) {
        text.append("    ").append(node.name()).append(": {given: ");
        text.append(seenParents(node.parents()));
        int[][] counts = trial.tables().get(node.name());
        text.append(counts == null ? ", rows: [" : ", counts: [");
        text.append(rows(node, counts)).append("]}\n");
      }
    }
    return text.toString();
  }

  private boolean isHidden(int place) {
    return world.node(place).kind() == Kind.HIDDEN;
  }

  private boolean hasLevels(Node node) {
    return Arrays.stream(node.parents()).allMatch(parent -> world.node(parent).numbers() == null);
  }

  private String rows(Node node, int[] @Nullable [] counts) {
    List<Integer> seen = new ArrayList<>();
    for (int parent : node.parents()) {
      if (!isHidden(parent)) {
        seen.add(parent);
      }
    }
    int rows =
        seen.stream()
            .mapToInt(parent -> world.node(parent).levels())
            .reduce(1, Math::multiplyExact);
    List<String> texts = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      int[] levels = new int[world.nodes().size()];
      int rest = row;
      for (int i = seen.size() - 1; i >= 0; i--) {
        int size = world.node(seen.get(i)).levels();
        levels[seen.get(i)] = rest % size;
        rest /= size;
      }
      List<String> cells = new ArrayList<>();
      for (int parent : seen) {
        cells.add(world.node(parent).level(levels[parent]));
      }
      if (counts == null) {
        Arrays.stream(withoutHidden(node, levels)).forEach(p -> cells.add(number(p)));
      } else {
        Arrays.stream(counts[row]).forEach(count -> cells.add(Integer.toString(count)));
      }
      texts.add("[" + String.join(", ", cells) + "]");
    }
    return texts.stream().collect(Collectors.joining(", "));
  }

  /** Returns a row averaged over hidden parents, which have no parents themselves. */
  private double[] withoutHidden(Node node, int[] levels) {
    double[] row = new double[node.levels()];
    average(node, levels.clone(), 0, 1, row);
    return row;
  }

  private void average(Node node, int[] levels, int next, double weight, double[] row) {
    if (next == node.parents().length) {
      double[] own = node.row(levels, world);
      for (int level = 0; level < row.length; level++) {
        row[level] += weight * own[level];
      }
      return;
    }
    int parent = node.parents()[next];
    if (!isHidden(parent)) {
      average(node, levels, next + 1, weight, row);
      return;
    }
    double[] chances = world.node(parent).table()[0];
    for (int level = 0; level < chances.length; level++) {
      levels[parent] = level;
      average(node, levels, next + 1, weight * chances[level], row);
    }
  }

  /** Writes a number as a spec does. */
  static String number(double number) {
    return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
  }
}
