package io.equipoise.segmentspec;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Adds arms to the text of a spec, and takes arms out of it; comments and all other characters
 * stay. An arm is a level of one action, with the levels of the spec's other actions that arms
 * have. The action keeps its level when the arm is removed: the model and pending decisions need
 * it.
 */
public final class ArmEdit {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
  private static final List<String> WORDS =
      List.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

  private final String text;
  private final SegmentSpec spec;
  private final List<SpecVariable> actions;
  private final int place;
  private final SpecVariable action;

  private ArmEdit(SegmentSpec spec, @Nullable String actionName) {
    this.text = spec.text();
    this.spec = spec;
    this.actions = spec.variables().actions();
    List<String> names = actions.stream().map(SpecVariable::name).toList();
    if (actionName == null && names.size() > 1) {
      throw new IllegalArgumentException(
          "--action: nothing given; spec %s has the actions %s, name the one to edit"
              .formatted(spec.name(), names));
    }
    place = actionName == null ? 0 : names.indexOf(actionName);
    if (place < 0) {
      throw new IllegalArgumentException(
          "--action: '%s' given; %s".formatted(actionName, Nearest.oneOf(actionName, names)));
    }
    action = actions.get(place);
    if (action.isNumeric()) {
      throw new IllegalArgumentException(
          "action %s of spec %s is numeric; edit the text, an arm is a level only of an action with"
                  .formatted(action.name(), spec.name())
              + " levels");
    }
  }

  /**
   * Returns the text with the arms of one level more, which is new or was kept: one for each
   * combination of the other actions' levels that the spec's arms have.
   *
   * @param action its name; null where the spec has one
   * @throws IllegalArgumentException if an arm has the level, or the action is none with levels
   */
  public static String add(SegmentSpec spec, @Nullable String action, String level) {
    return new ArmEdit(spec, action).add(level);
  }

  /**
   * Returns the text without an arm, or without all arms of a level.
   *
   * @param action its name; null where the spec has one
   * @param arm an arm's id, or a level of the action
   * @throws IllegalArgumentException if there is no such arm, or no other, or the action is none
   *     with levels
   */
  public static String retire(SegmentSpec spec, @Nullable String action, String arm) {
    return new ArmEdit(spec, action).retire(arm);
  }

  private String add(String name) {
    String prefix = action.name() + "=";
    String level = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    int index = action.indexOf(level);
    List<Arm> played = spec.arms().list();
    boolean isPlayed = index >= 0 && played.stream().anyMatch(it -> it.level(place) == index);
    if (isPlayed || spec.arms().indexOf(level) >= 0) {
      throw new IllegalArgumentException(
          "ARM: '%s' given, which is an arm already".formatted(name));
    }
    String edited = text;
    SequenceNode arms = arms(text);
    if (arms != null) {
      boolean hasId =
          actions.size() == 1
              && BifReference.entry(arms.getValue().get(arms.getValue().size() - 1), "id") != null;
      String id = hasId ? "id: " + scalar(level) + ", " : "";
      List<String> items =
          played.stream().map(it -> "{" + id + sets(it, level) + "}").distinct().toList();
      for (String item : items) {
        edited = inserted(edited, Objects.requireNonNull(arms(edited)), item);
      }
    }
    if (index >= 0) {
      return edited;
    }
    // The variables may be before or after the arms, so the places are looked up again.
    return withLevel(edited, spec.name(), action.name(), level);
  }

  /** Adds a level after the others of a variable. */
  static String withLevel(String text, String spec, String variable, String level) {
    return inserted(text, levels(root(text), spec, variable), scalar(level));
  }

  /** Replaces {@code all} by a list of the arms of a spec. */
  static String listed(String text, SegmentSpec spec) {
    return arms(text) == null
        ? withArms(text, spec.variables().actions(), spec.arms().list())
        : text;
  }

  /** Returns what an arm sets, with another level of the edited action. */
  private String sets(Arm arm, String level) {
    List<String> names = arm.names(actions);
    names.set(place, level);
    return sets(actions, names);
  }

  private static String sets(List<SpecVariable> actions, List<String> names) {
    return IntStream.range(0, names.size())
        .mapToObj(
            it -> {
              SpecVariable variable = actions.get(it);
              String value = names.get(it);
              return variable.name() + ": " + (variable.isNumeric() ? value : scalar(value));
            })
        .collect(Collectors.joining(", "));
  }

  private String retire(String name) {
    List<Arm> arms = spec.arms().list();
    int index = spec.arms().indexOf(name);
    int level = action.indexOf(name);
    Predicate<Arm> goes =
        index >= 0 ? arms.get(index)::equals : it -> level >= 0 && it.level(place) == level;
    List<Arm> rest = arms.stream().filter(goes.negate()).toList();
    if (rest.size() == arms.size()) {
      throw new IllegalArgumentException(
          "ARM: '%s' given; %s"
              .formatted(name, Nearest.oneOf(name, arms.stream().map(Arm::id).toList())));
    }
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(
          "ARM: '%s' given, which leaves spec %s without an arm".formatted(name, spec.name()));
    }
    String fallback = spec.join().fallbackArm();
    if (fallback != null && rest.stream().noneMatch(it -> it.id().equals(fallback))) {
      throw new IllegalArgumentException(
          "ARM: '%s' given; %s is join.fallback; change that first".formatted(name, fallback));
    }
    if (arms(text) == null) {
      return withArms(text, actions, rest);
    }
    String edited = text;
    for (int at = arms.size() - 1; at >= 0; at--) {
      if (goes.test(arms.get(at))) {
        edited = without(edited, Objects.requireNonNull(arms(edited)), at);
      }
    }
    return edited;
  }

  /** Lists arms where the text makes all of them. */
  private static String withArms(String text, List<SpecVariable> actions, List<Arm> arms) {
    List<String> items =
        arms.stream().map(it -> "{" + sets(actions, it.names(actions)) + "}").toList();
    NodeTuple all = BifReference.entry(root(text), "arms");
    if (all == null) {
      return text + (text.endsWith("\n") ? "" : "\n") + "arms: " + items + "\n";
    }
    return text.substring(0, start(text, all.getValueNode()))
        + items
        + text.substring(end(text, all.getValueNode()));
  }

  private static @Nullable SequenceNode arms(String text) {
    NodeTuple arms = BifReference.entry(root(text), "arms");
    return arms != null && arms.getValueNode() instanceof SequenceNode list ? list : null;
  }

  private static SequenceNode levels(Node root, String spec, String variable) {
    NodeTuple variables = BifReference.entry(root, "variables");
    NodeTuple entry =
        variables == null ? null : BifReference.entry(variables.getValueNode(), variable);
    NodeTuple levels = entry == null ? null : BifReference.entry(entry.getValueNode(), "levels");
    if (levels == null || !(levels.getValueNode() instanceof SequenceNode list)) {
      throw new IllegalArgumentException("spec %s lists no levels of %s".formatted(spec, variable));
    }
    return list;
  }

  static Node root(String text) {
    SpecFaults specFaults = new SpecFaults(IntUnaryOperator.identity());
    Optional<Node> root = YamlText.read(text, specFaults);
    specFaults.throwIfAny();
    return root.orElseThrow();
  }

  /** Adds an item after the last one of a list, in the list's own style. */
  private static String inserted(String text, SequenceNode list, String item) {
    Node last = list.getValue().get(list.getValue().size() - 1);
    int end = end(text, last);
    String before =
        list.getFlowStyle() == FlowStyle.FLOW ? ", " : "\n" + lineUpTo(text, start(text, last));
    return text.substring(0, end) + before + item + text.substring(end);
  }

  private static String without(String text, SequenceNode list, int index) {
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

  static String lineUpTo(String text, int place) {
    return text.substring(text.lastIndexOf('\n', place - 1) + 1, place);
  }

  static int start(String text, Node node) {
    return place(text, node, it -> it.getStartMark().map(Mark::getIndex).orElse(0));
  }

  /** Returns the end of a node; a block ends with its last scalar. */
  static int end(String text, Node node) {
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
