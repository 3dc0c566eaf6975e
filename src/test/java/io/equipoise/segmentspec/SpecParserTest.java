package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.Cpt;
import io.equipoise.policy.linear.LinearSpec;
import io.equipoise.policy.tabular.SeparatingRule;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.policy.tabular.TabularSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SpecParserTest {
  private static final SegmentSpec SPEC = SpecParser.parse(SpecText.SOUND);

  @Test
  void theHeadIsRead() {
    assertEquals("small", SPEC.name());
    assertEquals(3, SPEC.version());
    assertEquals(-7, SPEC.seed());
    assertEquals(new SegmentMatch.Exact(List.of("small", "tiny")), SPEC.match());
    assertEquals(SpecText.SOUND, SPEC.text());
  }

  /** It is read without the rest of the text, in every form that YAML has for it. */
  @Test
  void theVersionIsReadAlone() {
    assertEquals(OptionalLong.of(3), SpecParser.versionOf(SpecText.SOUND));
    assertEquals(
        OptionalLong.of(4), SpecParser.versionOf("a: {version: 1, b: [version]}\nversion: 4"));
    assertEquals(OptionalLong.of(5), SpecParser.versionOf("{name: version, \"version\": 5}"));
    assertEquals(OptionalLong.empty(), SpecParser.versionOf("version: 0x5"));
    assertEquals(OptionalLong.empty(), SpecParser.versionOf("- version: 5"));
    assertEquals(OptionalLong.empty(), SpecParser.versionOf("version: [5"));
  }

  @Test
  void theHashIsTheFirstHalfOfTheSha256OfTheText() {
    assertEquals("ba7816bf8f01cfea414140de5dae2223", SpecParser.sha256("abc"));
    assertEquals(SpecParser.sha256(SpecText.SOUND), SPEC.hash());
    assertEquals("beef9958742235500e6366660521294d", SPEC.hash());
  }

  @Test
  void whatIsLeftOutHasADefault() {
    assertEquals(2.0, SPEC.reward().scale());
    assertTrue(SPEC.reward().bounded());
    assertEquals(2.0, TabularSpec.of(SPEC).indexScale());
    assertEquals(SeparatingRule.CHEAPEST, TabularSpec.of(SPEC).separating());
    assertEquals(Ties.LOWEST, SPEC.policy().ties());
    assertEquals(new FairnessSpec(0.3, 0.05, ConfidenceKind.JOINT, 2.0, false), SPEC.fairness());
    Duration window = Duration.ofMinutes(30);
    assertEquals(
        new JoinSpec(
            window,
            Duration.ofSeconds(250),
            window,
            Aggregate.FIRST,
            Learn.ON_WINDOW_CLOSE,
            1_000_000,
            ShownRule.ASSUMED,
            "A=a,B=off"),
        SPEC.join());
    assertEquals(1000, SPEC.metricsEvery());
    assertEquals(OnIncompatibleChange.REJECT, SPEC.onIncompatibleChange());
  }

  @Test
  void aScaleOrRewardsWithoutBoundsMakeTheConfidenceSubGaussian() {
    assertEquals(
        ConfidenceKind.SUB_GAUSSIAN,
        SpecText.parsedWith("tau: 0.3", "tau: 0.3, scale: 0.5").fairness().confidence());
    assertEquals(
        ConfidenceKind.SUB_GAUSSIAN,
        SpecText.parsedWith("[-1, 3]", "[-1, 3], bounded: false, scale: 1")
            .fairness()
            .confidence());
  }

  @Test
  void everyCombinationIsAnArmAndTheFirstActionIsTheSlowest() {
    assertEquals(
        List.of("A=a,B=on", "A=a,B=off", "A=a,B=2", "A=b,B=on", "A=b,B=off", "A=b,B=2"),
        SPEC.arms().list().stream().map(Arm::id).toList());
    assertArrayEquals(new int[] {1, 2}, SPEC.arms().get(5).levels());
    assertEquals(4, SPEC.arms().indexOf("A=b,B=off"));
    assertEquals(-1, SPEC.arms().indexOf("A=b"));
  }

  @Test
  void listedArmsKeepTheirIdsAndOrder() {
    SegmentSpec spec =
        SpecText.parsedWith(
            "arms: all",
            "arms: [{id: z, B: off, A: b}, {id: \"A=a,B=off\", A: a, B: on}, {A: a, B: 2}]");
    assertEquals(
        List.of(
            new Arm("z", new int[] {1, 1}),
            new Arm("A=a,B=off", new int[] {0, 0}),
            new Arm("A=a,B=2", new int[] {0, 2})),
        spec.arms().list());
  }

  @Test
  void labelsAreTheTextThatWasWritten() {
    assertEquals(List.of("on", "off", "2"), SPEC.variables().named("B").levels());
    SegmentSpec spec =
        SpecText.parsedWith(
            "levels: [on, off, 2]", "levels: [on, off, 2, yes, 010, 1.50, null, ~, true]");
    assertEquals(
        List.of("on", "off", "2", "yes", "010", "1.50", "null", "~", "true"),
        spec.variables().named("B").levels());
  }

  @Test
  void cutsMakeLevelsAndTheLastOneIsClosed() {
    SpecVariable x = SPEC.variables().named("X");
    assertEquals(List.of("[0,18)", "[18,65.5)", "[65.5,100]"), x.levels());
    assertEquals(new NumberRange(0, 100), x.range());
    assertArrayEquals(new double[] {18, 65.5}, x.cuts());
  }

  @Test
  void aSensitiveVariableHasTheLevelUndisclosedLast() {
    SpecVariable s = SPEC.variables().named("S");
    assertEquals(List.of("f", "m", "undisclosed"), s.levels());
    assertEquals(2, s.undisclosed());
    assertEquals(2, s.disclosedLevels());
    SegmentSpec declared = SpecText.parsedWith("levels: [f, m]", "levels: [f, m, undisclosed]");
    assertEquals(s, declared.variables().named("S"));
  }

  @Test
  void aMarginalizedVariableHasAnIndexPastItsLevels() {
    SegmentSpec spec =
        SpecText.parsedWith("levels: [f, m]", "levels: [f, m], missing: marginalize");
    SpecVariable s = spec.variables().named("S");
    assertEquals(List.of("f", "m"), s.levels());
    assertEquals(2, s.undisclosed());
    assertEquals(-1, spec.variables().named("X").undisclosed());
  }

  @Test
  void variablesAreSeenByRole() {
    Variables variables = SPEC.variables();
    assertEquals(List.of("S", "X"), variables.features().stream().map(SpecVariable::name).toList());
    assertEquals(List.of("A", "B"), variables.actions().stream().map(SpecVariable::name).toList());
    assertEquals(List.of("M"), variables.mediators().stream().map(SpecVariable::name).toList());
    assertEquals("R", variables.reward().name());
    assertEquals(List.of(0), variables.sensitive());
    assertFalse(variables.has("U"));
  }

  @Test
  void tablesAreOverDisclosedLevels() {
    Cpt m = SPEC.distributions().cpt("M").orElseThrow();
    assertEquals("P(M | S, A)", m.title());
    assertEquals(List.of("f", "m"), m.parents().get(0).levels());
    assertEquals(0.875, m.probability(new int[] {1, 1}, 1));
  }

  @Test
  void aNetworkMayHaveItsLevelsInAnotherOrder() {
    String bif =
        """
        distributions:
          bif: |
            network n { }
            variable S { type discrete [ 2 ] { m, f }; }
            variable A { type discrete [ 2 ] { b, a }; }
            variable M { type discrete [ 2 ] { yes, no }; }
            probability ( S ) { table 0.5, 0.5; }
            probability ( M | A, S ) {
              (b, m) 0.1, 0.9;
              (b, f) 0.2, 0.8;
              (a, m) 0.3, 0.7;
              (a, f) 0.4, 0.6;
            }
        reward:\
        """;
    String text =
        SpecText.SOUND.replaceAll("(?s)distributions:.*?reward:", Objects.requireNonNull(bif));
    Cpt m = SpecParser.parse(text).distributions().cpt("M").orElseThrow();
    assertEquals("P(M | A, S)", m.title());
    assertEquals(0.9, m.probability(new int[] {1, 1}, 0));
    assertEquals(0.4, m.probability(new int[] {0, 0}, 1));
    assertEquals(0.2, m.probability(new int[] {1, 0}, 1));
  }

  @Test
  void distributionsMayBeLeftOut() {
    String text = SpecText.SOUND.replaceAll("(?s)distributions:.*?reward:", "reward:");
    assertTrue(SpecParser.parse(text).distributions().variables().isEmpty());
  }

  @Test
  void safeArmsAndDefaultRewardKeepTheirLevels() {
    assertEquals(
        List.of(Map.of("A", List.of("b"), "B", List.of("on", "2"))), TabularSpec.of(SPEC).safe());
    assertEquals(new DefaultReward(0, Map.of("M", "no")), SPEC.reward().byDefault());
    SegmentSpec none = SpecText.parsedWith(", default: {value: 0, mediators: {M: no}}", "");
    assertNull(none.reward().byDefault());
  }

  @Test
  void aListIsADeclaredSeparatingSet() {
    SegmentSpec spec =
        SpecText.parsedWith("name: f-ucb", "name: d-ucb\n  separating-set: [B, X, M]");
    assertEquals(TabularPolicyName.D_UCB, spec.policy().name());
    assertEquals(SeparatingRule.DECLARED, TabularSpec.of(spec).separating());
    assertEquals(List.of("B", "X", "M"), TabularSpec.of(spec).declaredSet());
  }

  @Test
  void everyPolicyMayBeClippedIntoCausalBounds() {
    assertEquals(null, SpecText.parsedWith("f-ucb", "f-ucb").policy().causalBounds());
    assertEquals(
        new CausalBoundsSpec("bounds.v1", OnRefutation.KEEP, 0.05),
        SpecText.parsedWith("name: f-ucb", "name: f-ucb\n  causal-bounds: {name: bounds.v1}")
            .policy()
            .causalBounds());
    PolicySpec clipped =
        SpecText.parsedWith(
                "name: f-ucb",
                "name: ucb-pcb\n  causal-bounds: {name: b, on-refutation: ignore, delta: 0.001}")
            .policy();
    assertEquals(new CausalBoundsSpec("b", OnRefutation.IGNORE, 0.001), clipped.causalBounds());
    assertEquals(SeparatingRule.ALL, ((TabularSpec) clipped.family()).separating());
  }

  @Test
  void ucbAndCUcbFixTheirSet() {
    assertEquals(
        SeparatingRule.ALL,
        TabularSpec.of(SpecText.parsedWith("name: f-ucb", "name: ucb")).separating());
    assertEquals(
        SeparatingRule.PARENTS,
        TabularSpec.of(SpecText.parsedWith("name: f-ucb", "name: c-ucb")).separating());
  }

  @Test
  void aPatternMatchesWholeNamesAndTheDefaultMatchesAll() {
    SegmentMatch pattern =
        SpecText.parsedWith("{exact: [small, tiny]}", "{pattern: \"de-.*\"}").match();
    assertTrue(pattern.matches("de-mobile"));
    assertFalse(pattern.matches("the-de-mobile"));
    SegmentMatch byDefault = SpecText.parsedWith("{exact: [small, tiny]}", "default").match();
    assertTrue(byDefault.matches("anything"));
  }

  private static List<String> dropped(String drop) {
    SegmentSpec spec =
        SpecText.parsedWith(
            "name: f-ucb\n  safe: [{A: b, B: [on, 2]}]", "name: linucb-unaware\n  drop: " + drop);
    return LinearSpec.of(spec).dropped();
  }

  @Test
  void naiveDropsWhatIsCorrelatedWithTheSensitiveBeyondAThreshold() {
    assertEquals(List.of("S", "X"), dropped("[S, X]"));
    assertEquals(List.of("S", "X"), dropped("{correlated: 0.3, correlations: {X: 0.41}}"));
    assertEquals(List.of("S", "X"), dropped("{correlated: 0.3, correlations: {X: -0.41}}"));
    assertEquals(List.of("S"), dropped("{correlated: 0.3, correlations: {X: 0.3}}"));
    assertEquals(List.of("S"), dropped("{correlated: 0.5, correlations: {X: 0.41}}"));
  }
}
