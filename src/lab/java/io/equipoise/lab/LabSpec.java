package io.equipoise.lab;

import io.equipoise.segmentspec.ConfidenceKind;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.simulation.EmailCampaign;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes the segment spec of an experiment: the paper's confidence, delta_t = 1/t^2, and its
 * scales. Everything goes through the text, as a live spec does.
 */
public final class LabSpec {
  /** The paper's sg, eq. 6. */
  public static final double INDEX_SCALE = 1;

  /**
   * Above 0.160, the sub-Gaussian scale of a reward of the Email Campaign given its cell; chosen to
   * fit Figure 3 of Huang et al. 2022.
   */
  public static final double EMAIL_FAIRNESS_SCALE = 0.18;

  private final StructuralModel model;
  private final List<int[]> arms;
  private final double fairnessScale;

  /** Takes the arms as levels of the actions. */
  public LabSpec(StructuralModel model, List<int[]> arms, double fairnessScale) {
    this.model = model;
    this.arms = arms;
    this.fairnessScale = fairnessScale;
  }

  /** Returns the writer of specs of the Email Campaign, with the scale of its fairness. */
  public static LabSpec email() {
    return new LabSpec(EmailCampaign.model(), EmailCampaign.arms(), EMAIL_FAIRNESS_SCALE);
  }

  /**
   * Returns the replication spec of one policy and threshold: the paper's confidence and scales.
   */
  public SegmentSpec of(PolicyName policy, double tau) {
    String reward =
        String.format(
            Locale.ROOT,
            "{range: [%s, %s], bounded: false, scale: %s}",
            model.meanRange(0),
            model.meanRange(1),
            fairnessScale);
    String confidence = "confidence: paper, scale: " + fairnessScale;
    return SpecParser.parse(text(policy, tau, reward, confidence));
  }

  /** Returns the spec of one policy for rewards of 0 or 1, under an anytime confidence. */
  public SegmentSpec ofBernoulli(PolicyName policy, double tau, ConfidenceKind confidence) {
    String kind = "confidence: " + confidence.wire();
    return SpecParser.parse(text(policy, tau, "{range: [0, 1]}", kind));
  }

  private String text(PolicyName policy, double tau, String reward, String confidence) {
    StringBuilder text = new StringBuilder();
    line(text, "name: lab-%s\nversion: 1\nsegments: default\nseed: 1\nvariables:", policy.wire());
    for (String role : List.of("X", "A", "I")) {
      for (String name : model.role(role)) {
        line(
            text,
            "  %s: {role: %s, levels: %s%s}",
            name,
            roleOf(role, name),
            quoted(name),
            missing(name));
      }
    }
    line(text, "  R: {role: reward}\ngraph: |\n  dag {");
    edges().forEach(edge -> line(text, "    %s", edge));
    line(text, "  }\narms:");
    for (int arm = 0; arm < arms.size(); arm++) {
      line(text, "  - {id: \"%d\"%s}", arm, armLevels(arms.get(arm)));
    }
    line(text, "distributions:\n  cpts:");
    for (String role : List.of("X", "I")) {
      model.role(role).forEach(name -> table(text, model.node(name)));
    }
    line(text, "reward: %s", reward);
    line(text, "policy: {name: %s, index-scale: %s}", policy.wire(), INDEX_SCALE);
    line(text, "fairness: {tau: %s, delta: 0.05, %s}\njoin: {reward-window: 30m}", tau, confidence);
    return text.toString();
  }

  private List<String> edges() {
    List<String> all = new ArrayList<>();
    for (String role : List.of("X", "I")) {
      for (String name : model.role(role)) {
        for (Node parent : model.node(name).parents()) {
          all.add(parent.name() + " -> " + name);
        }
      }
    }
    model.rewardTerms().forEach(term -> all.add(term + " -> R"));
    model.role("X").forEach(x -> model.role("A").forEach(a -> all.add(x + " -> " + a)));
    return all;
  }

  private String roleOf(String role, String name) {
    return switch (role) {
      case "X" -> name.equals(model.sensitive()) ? "sensitive" : "context";
      case "A" -> "action";
      default -> "mediator";
    };
  }

  private String missing(String name) {
    return name.equals(model.sensitive()) ? ", missing: reject" : "";
  }

  private String quoted(String name) {
    return model.node(name).labels().stream().map(LabSpec::quote).toList().toString();
  }

  private String armLevels(int[] levels) {
    StringBuilder text = new StringBuilder();
    for (int action = 0; action < levels.length; action++) {
      Node node = model.node(model.role("A").get(action));
      text.append(", ").append(node.name()).append(": ");
      text.append(quote(node.labels().get(levels[action])));
    }
    return text.toString();
  }

  private static void table(StringBuilder text, Node node) {
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < node.rows().length; row++) {
      StringBuilder cells = new StringBuilder();
      int rest = row;
      for (int i = node.parents().size() - 1; i >= 0; i--) {
        Node parent = node.parents().get(i);
        int size = parent.values().length;
        cells.insert(0, quote(parent.labels().get(rest % size)) + ", ");
        rest /= size;
      }
      for (int level = 0; level < node.rows()[row].length; level++) {
        cells.append(level == 0 ? "" : ", ").append(node.rows()[row][level]);
      }
      rows.add("[" + cells + "]");
    }
    List<String> given = node.parents().stream().map(Node::name).toList();
    line(text, "    %s: {given: %s, rows: %s}", node.name(), given, rows);
  }

  private static String quote(String label) {
    return "\"" + label + "\"";
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
