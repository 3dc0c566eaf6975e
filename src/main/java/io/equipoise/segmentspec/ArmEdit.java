package io.equipoise.segmentspec;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Adds arms to the text of a spec, and takes arms out of it; comments and all other characters
 * stay. An arm is a level of the spec's one action, which keeps the level when the arm goes: what
 * was learned of it and pending decisions need it.
 */
public final class ArmEdit {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
  private static final List<String> WORDS =
      List.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

  private final String text;
  private final SegmentSpec spec;
  private final SpecVariable action;

  private ArmEdit(SegmentSpec spec) {
    this.text = spec.text();
    this.spec = spec;
    List<SpecVariable> actions = spec.variables().actions();
    if (actions.size() != 1 || actions.get(0).isNumeric()) {
      throw new IllegalArgumentException(
          "spec %s has %s; edit the text of a spec whose action is not one variable with levels"
              .formatted(
                  spec.name(),
                  actions.size() == 1 ? "a numeric action" : actions.size() + " actions"));
    }
    action = actions.get(0);
  }

  /**
   * Returns the text with one arm more, that of a new or a kept level of the action.
   *
   * @throws IllegalArgumentException if the arm is there, or the action is not one variable with
   *     levels
   */
  public static String add(SegmentSpec spec, String level) {
    return new ArmEdit(spec).add(level);
  }

  /**
   * Returns the text without an arm.
   *
   * @param arm its id, or its level
   * @throws IllegalArgumentException if there is no such arm, or only this one, or the action is
   *     not one variable with levels
   */
  public static String retire(SegmentSpec spec, String arm) {
    return new ArmEdit(spec).retire(arm);
  }

  private String add(String level) {
    int index = action.indexOf(level);
    boolean isPlayed =
        index >= 0 && spec.arms().list().stream().anyMatch(it -> it.levels()[0] == index);
    if (isPlayed || spec.arms().indexOf(level) >= 0) {
      throw new IllegalArgumentException(
          "ARM: '%s' given, which is an arm already".formatted(level));
    }
    SequenceNode arms = arms();
    String edited = text;
    if (arms != null) {
      Node last = arms.getValue().get(arms.getValue().size() - 1);
      boolean hasId = BifReference.entry(last, "id") != null;
      String item =
          "{%s%s: %s}"
              .formatted(hasId ? "id: " + scalar(level) + ", " : "", action.name(), scalar(level));
      edited = inserted(edited, arms, item);
    }
    if (index >= 0) {
      return edited;
    }
    // The variables may stand before the arms or behind them, so the places are looked up again.
    return inserted(edited, levels(root(edited)), scalar(level));
  }

  private String retire(String name) {
    List<Arm> arms = spec.arms().list();
    int index = action.indexOf(name);
    Arm arm =
        arms.stream()
            .filter(it -> it.id().equals(name))
            .findFirst()
            .or(() -> arms.stream().filter(it -> it.levels()[0] == index).findFirst())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "ARM: '%s' given; %s"
                            .formatted(
                                name, Nearest.oneOf(name, arms.stream().map(Arm::id).toList()))));
    if (arms.size() == 1) {
      throw new IllegalArgumentException(
          "ARM: '%s' given, which is the only arm of spec %s".formatted(name, spec.name()));
    }
    SequenceNode listed = arms();
    if (listed != null) {
      return without(listed, arms.indexOf(arm));
    }
    List<String> rest =
        arms.stream()
            .filter(it -> !it.id().equals(arm.id()))
            .map(
                it ->
                    "{%s: %s}"
                        .formatted(action.name(), scalar(action.levels().get(it.levels()[0]))))
            .toList();
    NodeTuple all = BifReference.entry(root(text), "arms");
    if (all == null) {
      return text + (text.endsWith("\n") ? "" : "\n") + "arms: " + rest + "\n";
    }
    return text.substring(0, start(text, all.getValueNode()))
        + rest
        + text.substring(end(text, all.getValueNode()));
  }

  private @Nullable SequenceNode arms() {
    NodeTuple arms = BifReference.entry(root(text), "arms");
    return arms != null && arms.getValueNode() instanceof SequenceNode list ? list : null;
  }

  private SequenceNode levels(Node root) {
    NodeTuple variables = BifReference.entry(root, "variables");
    NodeTuple variable =
        variables == null ? null : BifReference.entry(variables.getValueNode(), action.name());
    NodeTuple levels =
        variable == null ? null : BifReference.entry(variable.getValueNode(), "levels");
    if (levels == null || !(levels.getValueNode() instanceof SequenceNode list)) {
      throw new IllegalArgumentException(
          "spec %s lists no levels of %s".formatted(spec.name(), action.name()));
    }
    return list;
  }

  private static Node root(String text) {
    SpecFaults specFaults = new SpecFaults(IntUnaryOperator.identity());
    Optional<Node> root = YamlText.read(text, specFaults);
    specFaults.throwIfAny();
    return root.orElseThrow();
  }

  /** Puts an item behind the last one of a list, in the list's own style. */
  private static String inserted(String text, SequenceNode list, String item) {
    Node last = list.getValue().get(list.getValue().size() - 1);
    int end = end(text, last);
    String before =
        list.getFlowStyle() == FlowStyle.FLOW ? ", " : "\n" + lineUpTo(text, start(text, last));
    return text.substring(0, end) + before + item + text.substring(end);
  }

  private String without(SequenceNode list, int index) {
    List<Node> items = list.getValue();
    int start = start(text, items.get(index));
    int end = end(text, items.get(index));
    if (list.getFlowStyle() == FlowStyle.FLOW) {
      return index == 0
          ? text.substring(0, start) + text.substring(start(text, items.get(1)))
          : text.substring(0, end(text, items.get(index - 1))) + text.substring(end);
    }
    int from = text.lastIndexOf('\n', start - 1) + 1;
    int to = text.indexOf('\n', end);
    return text.substring(0, from) + (to < 0 ? "" : text.substring(to + 1));
  }

  private static String lineUpTo(String text, int place) {
    return text.substring(text.lastIndexOf('\n', place - 1) + 1, place);
  }

  private static int start(String text, Node node) {
    return place(text, node, it -> it.getStartMark().map(Mark::getIndex).orElse(0));
  }

  /** Returns where a node ends; that of a block is the end of its last scalar. */
  private static int end(String text, Node node) {
    if (node instanceof CollectionNode<?> inner
        && inner.getFlowStyle() != FlowStyle.FLOW
        && !inner.getValue().isEmpty()) {
      List<?> values = inner.getValue();
      Object last = values.get(values.size() - 1);
      return end(text, last instanceof NodeTuple tuple ? tuple.getValueNode() : (Node) last);
    }
    return place(text, node, it -> it.getEndMark().map(Mark::getIndex).orElse(0));
  }

  private static int place(String text, Node node, ToIntFunction<Node> codePoint) {
    return text.offsetByCodePoints(0, codePoint.applyAsInt(node));
  }

  private static String scalar(String value) {
    return PLAIN.matcher(value).matches() && !WORDS.contains(value.toLowerCase(Locale.ROOT))
        ? value
        : quoted(value);
  }

  private static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
