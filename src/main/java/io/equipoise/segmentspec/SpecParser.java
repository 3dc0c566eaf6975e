package io.equipoise.segmentspec;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.event.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Turns the text of a spec into a {@link SegmentSpec}.
 *
 * <p>The text need not be trusted: whatever it is, a spec comes back or a {@link SpecException} is
 * thrown. A spec that comes back is sound by itself; whether the policy can be compiled for its
 * graph and distributions is for the bandit to say, whose faults are told beside those of the text
 * where the text's leave it to be said, see {@link Draft}.
 */
public final class SpecParser {
  private static final long DEFAULT_METRICS_EVERY = 1000;
  private static final long MOST_METRICS_EVERY = 1_000_000_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final List<String> KEYS =
      List.of(
          "name",
          "version",
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
          "idle-state",
          "metrics",
          "on-incompatible-change");

  private final Section root;
  private final SpecFaults specFaults;
  private final PolicySections families;

  private SpecParser(Section root, SpecFaults specFaults, PolicySections families) {
    this.root = root;
    this.specFaults = specFaults;
    this.families = families;
  }

  /** Parses a self-contained text, or throws with all of its faults. */
  public static SegmentSpec parse(String text) {
    return parse(text, Function.identity());
  }

  /** Parses a self-contained text whose policy is of one of these families. */
  public static SegmentSpec parse(String text, PolicySections families) {
    return parse(
        text, IntUnaryOperator.identity(), (name, match) -> {}, Function.identity(), families);
  }

  /**
   * Parses a self-contained text and compiles the spec.
   *
   * @param compile says by a {@link SpecException} what else is wrong. Of a text with faults it is
   *     given what can be made of the rest, and what it returns is dropped
   * @throws SpecException with the faults of the text, then those of compiling that stand whatever
   *     is put in place of the former
   */
  public static <T> T parse(String text, Function<SegmentSpec, T> compile) {
    return parse(text, IntUnaryOperator.identity(), (name, match) -> {}, compile);
  }

  /** What a text claims for itself: each is null where it cannot be told. */
  @FunctionalInterface
  interface Claims {
    void of(@Nullable String name, @Nullable SegmentMatch match);
  }

  /**
   * As {@link #parse(String, Function)}; the lines of faults go through the function, and what the
   * text claims is told before it is checked.
   */
  static <T> T parse(
      String text, IntUnaryOperator lines, Claims claims, Function<SegmentSpec, T> compile) {
    return parse(text, lines, claims, compile, PolicyReader.installed());
  }

  private static <T> T parse(
      String text,
      IntUnaryOperator lines,
      Claims claims,
      Function<SegmentSpec, T> compile,
      PolicySections families) {
    try {
      return parsed(text, lines, claims, compile, families);
    } catch (SpecException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      // Texts come from a topic that others write: one must not end every job that reads it.
      throw new SpecException(
          List.of(
              new SpecFault(
                  "the spec",
                  "a text that compiling fails on with " + SpecFaults.shown(e.toString()),
                  "a smaller or simpler spec; please report it, since every fault should be"
                      + " named")),
          e);
    }
  }

  private static <T> T parsed(
      String text,
      IntUnaryOperator lines,
      Claims claims,
      Function<SegmentSpec, T> compile,
      PolicySections families) {
    SpecFaults specFaults = new SpecFaults(lines);
    Node node = YamlText.read(text, specFaults).orElse(null);
    specFaults.throwIfAny();
    if (node == null) {
      throw new IllegalStateException("the text has no root and no fault");
    }
    Section root = Section.of(new Field("", node, specFaults), KEYS.toArray(new String[0]));
    return new SpecParser(root, specFaults, families).compiled(text, claims, compile);
  }

  private <T> T compiled(String text, Claims claims, Function<SegmentSpec, T> compile) {
    Field nameField = root.require("name", "the name of the spec");
    String name =
        nameField == null
            ? null
            : nameField.text(NAME, "letters, digits, . _ -, at most 128, no sign at the start");
    Field numberField = root.require("version", "the version number, greater than the last one");
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
            families, root.require("policy", "a mapping with the name"), variables, arms, reward);
    FairnessSpec fairness =
        FairnessReader.read(
            root.require("fairness", "a mapping with tau"), variables, reward, policy);
    JoinSpec join =
        JoinReader.read(root.require("join", "a mapping with the window"), found.ids(), reward);
    IdleStateSpec idle = IdleStateReader.read(root.get("idle-state"), join, policy);
    Long metricsEvery = metricsEvery(root.get("metrics"));
    Field changeField = root.get("on-incompatible-change");
    OnIncompatibleChange onChange =
        changeField == null
            ? OnIncompatibleChange.REJECT
            : changeField.oneOf(OnIncompatibleChange.values(), OnIncompatibleChange::wire);
    Draft draft = new Draft(root, KEYS, specFaults);
    claims.of(draft.soundOrNull("name", name), draft.soundOrNull("segments", match));
    if (!draft.canBeCompiled()) {
      throw new SpecException(specFaults.sorted());
    }
    return checked(
        draft,
        compile,
        new SegmentSpec(
            draft.soundOr("name", name, "unnamed"),
            draft.soundOr("version", number, 1L),
            sha256(text),
            text,
            draft.soundOr("segments", match, new SegmentMatch.Default()),
            draft.soundOr("seed", seed, 0L),
            variables.variables(),
            Draft.sound(graph),
            Draft.sound(arms),
            draft.soundOr("distributions", distributions, Draft.DISTRIBUTIONS),
            Draft.sound(reward),
            Draft.sound(policy),
            draft.soundOr("fairness", fairness, Draft.FAIRNESS),
            draft.soundOr("join", join, Draft.JOIN),
            idle,
            draft.soundOr("metrics", metricsEvery, DEFAULT_METRICS_EVERY),
            draft.soundOr("on-incompatible-change", onChange, OnIncompatibleChange.REJECT)));
  }

  private <T> T checked(Draft draft, Function<SegmentSpec, T> compile, SegmentSpec spec) {
    if (specFaults.isEmpty()) {
      return compile.apply(spec);
    }
    List<SpecFault> all = new ArrayList<>(specFaults.sorted());
    try {
      T unused = compile.apply(spec);
    } catch (SpecException e) {
      e.faults().stream().filter(draft::stands).forEach(all::add);
    }
    throw new SpecException(all);
  }

  private static @Nullable Long metricsEvery(@Nullable Field field) {
    Field every = field == null ? null : Section.of(field, "every").get("every");
    return wholeOr(every, DEFAULT_METRICS_EVERY, 1, MOST_METRICS_EVERY);
  }

  private static @Nullable Long wholeOr(
      @Nullable Field field, long byDefault, long least, long most) {
    return field == null ? Long.valueOf(byDefault) : field.whole(least, most);
  }

  /** Returns the lower-case hexadecimal SHA-256 of a text in UTF-8. */
  static String sha256(String text) {
    return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
  }
}
