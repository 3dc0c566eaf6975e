package io.equipoise.spec;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.KnownDistributions;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Turns the text of a spec into a {@link SegmentSpec}.
 *
 * <p>The text need not be trusted: whatever it is, a spec comes back or a {@link SpecException} is
 * thrown. A spec that comes back is sound by itself; whether the policy can be compiled for its
 * graph and distributions is for the bandit to say.
 */
public final class SpecParser {
  private static final long DEFAULT_METRICS_EVERY = 1000;
  private static final long MOST_METRICS_EVERY = 1_000_000_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  private final Section root;
  private final Faults faults;

  private SpecParser(Section root, Faults faults) {
    this.root = root;
    this.faults = faults;
  }

  /** Parses a self-contained text, or throws with all of its faults. */
  public static SegmentSpec parse(String text) {
    return parse(text, IntUnaryOperator.identity());
  }

  /** As {@link #parse(String)}; the lines of faults go through the function. */
  static SegmentSpec parse(String text, IntUnaryOperator lines) {
    Faults faults = new Faults(lines);
    Node node = YamlText.read(text, faults).orElse(null);
    faults.throwIfAny();
    if (node == null) {
      throw new IllegalStateException("the text has no root and no fault");
    }
    Section root =
        Section.of(
            new Field("", node, faults),
            "name",
            "number",
            "segments",
            "seed",
            "variables",
            "graph",
            "arms",
            "distributions",
            "reward",
            "policy",
            "fairness",
            "join",
            "idle",
            "metrics",
            "on-change");
    return new SpecParser(root, faults).spec(text);
  }

  private SegmentSpec spec(String text) {
    Field nameField = root.require("name", "the name of the spec");
    String name =
        nameField == null
            ? null
            : nameField.text(NAME, "letters, digits, . _ -, at most 128, no sign at the start");
    Field numberField = root.require("number", "the version number, greater than the last one");
    Long number = numberField == null ? null : numberField.whole(1, Long.MAX_VALUE);
    SegmentMatch match =
        SegmentReader.read(
            root.require("segments", "default, {exact: [names]} or {pattern: \"…\"}"));
    Long seed = wholeOr(root.get("seed"), 0, Long.MIN_VALUE, Long.MAX_VALUE);
    VariableTable variables =
        VariableReader.read(root.require("variables", "a mapping of names to variables"));
    CausalGraph graph =
        GraphReader.read(root.require("graph", "a graph like dag { X -> M -> R }"), variables);
    ArmReader.Found found = ArmReader.read(root, variables);
    Arms arms = found.arms();
    KnownDistributions distributions =
        DistributionReader.read(root.get("distributions"), variables, graph);
    RewardRule reward =
        RewardReader.read(root.require("reward", "a mapping with the range"), variables);
    PolicySpec policy =
        PolicyReader.read(
            root.require("policy", "a mapping with the name"), variables, arms, reward);
    FairnessSpec fairness =
        FairnessReader.read(
            root.require("fairness", "a mapping with tau"), variables, reward, policy);
    JoinSpec join = JoinReader.read(root.require("join", "a mapping with the window"), found.ids());
    IdleSpec idle = IdleReader.read(root.get("idle"), join, policy);
    Long metricsEvery = metricsEvery(root.get("metrics"));
    Field changeField = root.get("on-change");
    OnChange onChange =
        changeField == null
            ? OnChange.REFUSE
            : changeField.oneOf(OnChange.values(), OnChange::wire);
    faults.throwIfAny();
    return new SegmentSpec(
        sound(name),
        sound(number),
        sha256(text),
        text,
        sound(match),
        sound(seed),
        variables.variables(),
        sound(graph),
        sound(arms),
        distributions,
        sound(reward),
        sound(policy),
        sound(fairness),
        sound(join),
        idle,
        sound(metricsEvery),
        sound(onChange));
  }

  private static @Nullable Long metricsEvery(@Nullable Field field) {
    Field every = field == null ? null : Section.of(field, "every").get("every");
    return wholeOr(every, DEFAULT_METRICS_EVERY, 1, MOST_METRICS_EVERY);
  }

  private static @Nullable Long wholeOr(
      @Nullable Field field, long byDefault, long least, long most) {
    return field == null ? Long.valueOf(byDefault) : field.whole(least, most);
  }

  private static <T> T sound(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("a part of the spec is missing and nobody noted a fault");
    }
    return value;
  }

  /** Returns the lower-case hexadecimal SHA-256 of a text in UTF-8. */
  static String sha256(String text) {
    return HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
  }
}
