package io.equipoise.segmentspec;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.event.Sha256;
import io.equipoise.event.Thrown;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Parses the text of a spec into a {@link SegmentSpec}.
 *
 * <p>The text need not be trusted: every text leads to a spec or to a {@link SpecException}. The
 * policy's family decides whether it can be compiled for graph and distributions. {@link Draft}
 * decides which errors of compilation are reported beside those of the text.
 */
public final class SpecParser {
  private static final Pattern DIGITS = Pattern.compile("[1-9][0-9]{0,17}");

  private final Section root;
  private final SpecFaults specFaults;
  private final PolicySections families;

  private SpecParser(Section root, SpecFaults specFaults, PolicySections families) {
    this.root = root;
    this.specFaults = specFaults;
    this.families = families;
  }

  /**
   * Returns the version of a valid text. Costs a small part of parsing it.
   *
   * @return empty if the version is not written in digits only
   */
  public static OptionalLong versionOf(String text) {
    return YamlText.scalarOf(text, "version")
        .filter(digits -> DIGITS.matcher(digits).matches())
        .map(digits -> OptionalLong.of(Long.parseLong(digits)))
        .orElse(OptionalLong.empty());
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
   * @param compile reports further errors by a {@link SpecException}. For a text with errors it
   *     gets a spec with stand-ins, and its result is dropped
   * @throws SpecException with the errors of the text, then those of compilation that remain with
   *     every correction of the former
   */
  public static <T> T parse(String text, Function<SegmentSpec, T> compile) {
    return parse(text, IntUnaryOperator.identity(), (name, match) -> {}, compile);
  }

  /** Gets name and segments of a spec before it is compiled; null where they have errors. */
  @FunctionalInterface
  interface Claims {
    void of(@Nullable String name, @Nullable SegmentMatch match);
  }

  /**
   * As {@link #parse(String, Function)}, but maps the lines of errors by a function and reports
   * name and segments before compilation.
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
    } catch (Throwable e) {
      // Texts come from a topic that others write, and policies from jars that others write: one of
      // them must not end every job that reads it.
      throw new SpecException(
          List.of(
              new SpecFault(
                  "the spec",
                  "a text that compiling fails on with " + SpecFaults.shown(Thrown.text(e)),
                  "a smaller or simpler spec, or another version of the policy's jar; where the"
                      + " policy is of Equipoise, please report it, since every fault should be"
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
    Section root = Section.of(new Field("", node, specFaults), "spec");
    return new SpecParser(root, specFaults, families).compiled(text, claims, compile);
  }

  private <T> T compiled(String text, Claims claims, Function<SegmentSpec, T> compile) {
    String name = root.text("name");
    long number = root.whole("version");
    SegmentMatch match = SegmentReader.read(root);
    long seed = root.whole("seed");
    VariableTable variables = VariableReader.read(root);
    CausalGraph graph = GraphReader.read(root.get("graph"), variables);
    ArmReader.ReadArms found = ArmReader.read(root, variables);
    Arms arms = found.arms();
    KnownDistributions distributions =
        DistributionReader.read(root.section("distributions"), variables, graph);
    RewardRule reward = RewardReader.read(root.section("reward"), variables);
    PolicySpec policy = PolicyReader.read(families, root.get("policy"), variables, arms, reward);
    FairnessSpec fairness =
        FairnessReader.read(root.section("fairness"), variables, reward, policy);
    JoinSpec join = JoinReader.read(root.section("join"), found.ids(), reward);
    IdleStateSpec idle = IdleStateReader.read(root.section("idle-state"), join, policy);
    long metricsEvery = root.sectionOrDefaults("metrics").whole("every");
    OnIncompatibleChange onChange = root.word("on-incompatible-change", OnIncompatibleChange.class);
    Draft draft = new Draft(root, specFaults);
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
            draft.soundOr("metrics", metricsEvery, 1L),
            draft.soundOr("on-incompatible-change", onChange, OnIncompatibleChange.REJECT)));
  }

  private <T> T checked(Draft draft, Function<SegmentSpec, T> compile, SegmentSpec spec) {
    List<SpecFault> all = new ArrayList<>(specFaults.sorted());
    try {
      T compiled = compile.apply(spec);
      if (all.isEmpty()) {
        return compiled;
      }
    } catch (SpecException e) {
      e.faults().stream().filter(draft::stands).map(root.field()::placed).forEach(all::add);
    }
    throw new SpecException(all);
  }

  /** Returns the lower-case hexadecimal SHA-256 of a text in UTF-8. */
  static String sha256(String text) {
    return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads {@code idle-state}. */
  private static final class IdleStateReader {
    private IdleStateReader() {}

    /** Returns null if there is none, and after a fault; {@code join} and {@code policy} may be. */
    static @Nullable IdleStateSpec read(
        @Nullable Section section, @Nullable JoinSpec join, @Nullable PolicySpec policy) {
      if (section == null) {
        return null;
      }
      Field afterField = section.get("after");
      Duration after = section.duration("after", null);
      Field retainField = section.get("retain");
      Retain retain = section.word("retain", Retain.class);
      if (afterField != null
          && after != null
          && join != null
          && after.compareTo(memory(join)) < 0) {
        afterField.fault(
            "at least %d s: decisions and rewards are remembered that long (join)"
                .formatted(memory(join).toSeconds()));
      } else if (retainField != null
          && retain == Retain.NONE
          && policy != null
          && policy.family().isPhased()) {
        retainField.fault("model: an experiment that forgets its end would start again");
      }
      return after == null || retain == null || !section.isSound()
          ? null
          : new IdleStateSpec(after, retain);
    }

    /** Returns how long an entry of the last input lasts. */
    private static Duration memory(JoinSpec join) {
      Duration decision = join.rewardWindow().plus(join.dedupWindow());
      return decision.compareTo(join.earlyRewardTimeout()) < 0
          ? join.earlyRewardTimeout()
          : decision;
    }
  }

  /** Reads {@code graph} and compares it with the variables. */
  private static final class GraphReader {
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

    /** Reports actions that cause a feature: a person is known before the decision. */
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
}
