package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A text is refused with its own faults and beside them with those of compiling that stand. */
class AllFaultsTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private static final String RANGE = "{range: [0, 1]}";
  private static final List<String> WITHOUT_EFFECT =
      List.of(
          "name",
          "version",
          "segments",
          "seed",
          "metrics",
          "on-incompatible-change",
          "idle-state",
          "seedling");

  private static String tabular() {
    return TestSpecs.text("c-ucb, separating-set: parents", 1, JOIN, RANGE, "reject")
        .replace("M: {role: mediator", "N: {role: mediator, levels: [n, o]}\n  M: {role: mediator")
        .replace("{M X} -> R", "{M N X} -> R");
  }

  private static String text(String family) {
    String eighty = "[" + String.join(", ", numbered(80)) + "]";
    return switch (family) {
      case "tabular" -> tabular();
      case "linear" ->
          TestSpecs.text(
              "linucb, constraint: hard, features: [{one-hot: X}]", 1, JOIN, RANGE, "reject");
      case "allocation" ->
          TestSpecs.text("oam, horizon: 100", 1, JOIN, RANGE, "reject")
              .replace("[low, high]", eighty);
      case "logistic" -> TestSpecs.text("cclb, features: [{one-hot: X}]", 1, JOIN, RANGE, "reject");
      case "experiment" ->
          TestSpecs.experiment(
                  "csr-v1, samples: 100, control: \"A=left\"", 1, JOIN, RANGE, "reject")
              .replace("S -> X;", "S -> X; X -> S2; S2 -> R;")
              .replace("  A: {role", "  S2: {role: sensitive, levels: [c, d]}\n  A: {role");
      default -> throw new IllegalArgumentException(family);
    };
  }

  private static List<String> numbered(int count) {
    List<String> levels = new ArrayList<>();
    for (int level = 0; level < count; level++) {
      levels.add("l" + level);
    }
    return levels;
  }

  /** Puts a fault into every section that changes no verdict, and a key that is none. */
  private static String spoilt(String text) {
    return text.replace("name: test", "name: -test")
            .replace("version: 1", "version: 0")
            .replace("segments: default", "segments: others")
            .replace("seed: 11", "seed: eleven")
            .replace("{every: 10}", "{every: 0}")
            .replace("on-incompatible-change: reject", "on-incompatible-change: never")
        + "idle-state: {after: soon}\nseedling: 3\n";
  }

  private static List<String> places(String text) {
    return faults(text).stream().map(it -> it.place().replaceAll(", line \\d+", "")).toList();
  }

  private static List<SpecFault> faults(String text) {
    return assertThrows(SpecException.class, () -> SpecParser.parse(text, CompiledSpec::of))
        .faults();
  }

  private static List<String> sections(List<String> places) {
    return places.stream().map(place -> place.replaceAll("[.,].*", "")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "tabular,'distributions.N, line 14'",
    "linear,'policy.features, line 24'",
    "allocation,'policy.name, line 24'",
    "logistic,'policy.features, line 24'",
    "experiment,'variables, line 5'"
  })
  void faultsWithoutEffectHideNothingThatCompilingTells(String family, String place) {
    String text = text(family);
    List<SpecFault> alone = faults(text);
    assertEquals(List.of(place), alone.stream().map(SpecFault::place).toList());
    List<SpecFault> all = faults(spoilt(text));
    assertEquals(WITHOUT_EFFECT.size() + 1, all.size(), all.toString());
    assertEquals(WITHOUT_EFFECT, sections(all.stream().limit(8).map(SpecFault::place).toList()));
    assertEquals(alone.get(0), all.get(8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tabular", "linear", "allocation", "logistic", "experiment"})
  void aFaultyJoinOrFairnessHidesNothingEither(String family) {
    String text = text(family);
    SpecFault own = faults(text).get(0);
    String faulty =
        text.replace("reward-window: 60s", "reward-window: 60").replace("tau: 0.2", "tau: 0");
    List<SpecFault> all = faults(faulty);
    assertEquals(
        List.of("fairness", "join", sections(List.of(own.place())).get(0)),
        sections(all.stream().map(SpecFault::place).toList()));
    assertEquals(own, all.get(2));
  }

  @Test
  void whatFollowsFromAFaultyGraphVariableArmRewardOrPolicyIsNotTold() {
    String text = text("tabular");
    assertEquals(List.of("distributions.N"), places(text));
    for (String faulty :
        List.of(
            text.replace("S A} -> M", "S B} -> M"),
            text.replace("levels: [left, right]", "levels: [left, left]"),
            text.replace("arms: all", "arms: none"),
            text.replace("range: [0, 1]", "range: [1, 0]"),
            text.replace("separating-set: parents", "separating-set: parent"),
            text.replace("arms: all", "arm: all"),
            text + "? [a]\n: 1\n")) {
      List<String> places = places(faulty);
      assertTrue(places.stream().noneMatch("distributions.N"::equals), places.toString());
    }
  }

  @Test
  void faultyTablesHideWhatTheGraphTellsAndNoTableIsCalledMissing() {
    String text = tabular().replace("{M N X} -> R", "{M N X} -> R; M <-> S");
    assertEquals(List.of("graph", "distributions.N", "graph"), places(text));
    String faulty = text.replace("[a, left, 0.9, 0.1]", "[a, left, 0.9, 0.3]");
    List<String> places = places(faulty);
    assertEquals(2, places.size(), places.toString());
    assertTrue(places.get(0).startsWith("distributions.cpts.M"), places.toString());
    assertEquals("graph", places.get(1));
    assertEquals(
        List.of("distribution"), places(tabular().replace("distributions:", "distribution:")));
  }

  @Test
  void whatDependsOnTheJoinOrTheLimitIsNotToldWhereTheyAreFaulty() {
    String silent =
        TestSpecs.text("d-ucb", 1, JOIN, "{range: [0, 1], default: {value: 0}}", "reject");
    assertEquals(List.of("reward.default.mediators"), places(silent));
    assertEquals(
        List.of("join", "reward"),
        sections(places(silent.replace("reward-window: 60s", "reward-window: 60"))),
        "silence teaches whatever the join says");
    String slow =
        TestSpecs.experiment(
            "csr-v2, samples: 100, control: \"A=left\", min-closed-fraction: 0.9",
            1,
            JOIN,
            RANGE,
            "reject");
    assertEquals(List.of("policy.min-closed-fraction"), places(slow));
    assertEquals(
        List.of("join"), sections(places(slow.replace("reward-window: 60s", "reward-window: 60"))));
    String strict =
        TestSpecs.text("linucb, constraint: dual, epsilon: 0.3", 1, JOIN, RANGE, "reject");
    assertEquals(List.of("policy.epsilon"), places(strict));
    assertEquals(List.of("fairness"), sections(places(strict.replace("tau: 0.2", "tau: 0"))));
    String fine =
        TestSpecs.experiment("csr-v1, samples: 1, control: \"A=left\"", 1, JOIN, RANGE, "reject")
            .replace("tau: 0.2", "tau: 0.0001");
    assertEquals(List.of("fairness.tau"), places(fine));
    assertEquals(
        List.of("fairness.delta"), places(fine.replace("tau: 0.0001", "tau: 0.0001, delta: 2")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"f-ucb", "linucb, constraint: hard", "oam, horizon: 100", "cclb", "csr-v1"})
  void ofASpecThatIsElseSoundOnlyTheFaultySectionIsTold(String policy) {
    String text =
        policy.startsWith("csr")
            ? TestSpecs.experiment(
                policy + ", samples: 100, control: \"A=left\"", 1, JOIN, RANGE, "reject")
            : TestSpecs.text(policy, 1, JOIN, RANGE, "reject");
    assertNotNull(TestSpecs.compiled(text));
    assertEquals(
        List.of("fairness"),
        sections(places(text.replace("tau: 0.2", "tau: 0, intersections: x"))).stream()
            .distinct()
            .toList());
    assertEquals(
        List.of("join"), sections(places(text.replace("reward-window: 60s", "reward-window: 60"))));
    assertEquals(List.of("distributions"), sections(places(text.replace("0.9, 0.1", "0.9, 0.3"))));
    assertEquals(WITHOUT_EFFECT, sections(places(spoilt(text))));
  }

  @Test
  void compilingTellsAllReasonsThatDoNotFollowFromEachOther() {
    String levels = String.join(", ", numbered(1000));
    String wide = "{product: [{one-hot: X}, {one-hot: A}]}, {one-hot: X}";
    String priced =
        TestSpecs.text(
            "linucb, constraint: dual, epsilon: 0.3, features: [{one-hot: X}]",
            1,
            JOIN,
            RANGE,
            "reject");
    assertEquals(List.of("policy.epsilon", "policy.features"), places(priced));
    assertEquals(
        List.of("policy.epsilon", "policy.features", "policy.features"),
        places(priced.replace("{one-hot: X}", wide).replace("low, high", levels)));
    String logistic =
        TestSpecs.text("cclb, epsilon: 0.3, features: [{one-hot: X}]", 1, JOIN, RANGE, "reject");
    assertEquals(
        List.of("policy.features", "policy.features", "policy.epsilon"),
        places(logistic.replace("{one-hot: X}", wide).replace("low, high", levels)));
    String declared =
        TestSpecs.text("d-ucb, separating-set: [X, A, M, N, O]", 1, JOIN, RANGE, "reject")
            .replace("  A: {role", "  N: {role: mediator, levels: [%s]}\n  A: {role")
            .replace("  A: {role", "  O: {role: mediator, levels: [%s]}\n  A: {role")
            .replace("%s", levels)
            .replace("{M X} -> R", "{M N O X} -> R; M <-> S");
    assertEquals(
        List.of("policy.separating-set", "graph", "graph", "distributions.N", "distributions.O"),
        places(declared).stream().sorted(Comparator.comparing(it -> it.startsWith("d"))).toList());
  }

  @Test
  void aSearchTellsAllReasonsThatDoNotFollowFromEachOther() {
    String search =
        TestSpecs.experiment(
            "csr-v1, samples: 100, control: \"A=left\", min-closed-fraction: 0.9",
            1,
            "{reward-window: 60s, aggregate: mean}",
            "{range: [0, 1], default: {value: 1}}",
            "reject");
    assertEquals(
        List.of("join.aggregate", "policy.min-closed-fraction", "reward.default", "distributions"),
        places(search.replaceFirst("    X: \\{given.*\n", "")));
    assertEquals(
        List.of(
            "join.aggregate",
            "policy.min-closed-fraction",
            "variables.S.levels",
            "graph",
            "graph",
            "graph",
            "graph",
            "reward.default"),
        places(
            search
                .replace("[a, b]", "[a, b, c]")
                .replaceFirst("(?s)distributions:.*reward:", "reward:")
                .replace("S -> X;", "X -> S; {S} -> M; M <-> X;")));
  }

  @Test
  void levelsOfOneNumberAreToldBesideWhatCompilingTells() {
    String text = tabular().replace("[low, high]", "[\"1\", \"1.0\"]");
    assertEquals(List.of("distributions.N", "variables.X.levels"), places(text));
  }
}
