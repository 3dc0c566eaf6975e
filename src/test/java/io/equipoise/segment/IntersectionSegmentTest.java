package io.equipoise.segment;

import static io.equipoise.event.AuditEffectKind.DIRECT;
import static io.equipoise.event.AuditEffectKind.INDIRECT;
import static io.equipoise.event.AuditEffectKind.TOTAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segmentspec.SpecException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sensitive attributes that are changed together. */
@Tag("slow")
class IntersectionSegmentTest {
  private static final long SEED = 23;

  private static String spec(String policy, int number, String fairness, String levels) {
    return """
           name: test
           version: %d
           segments: default
           variables:
             gender: {role: sensitive, levels: [f, m], missing: level}
             race: {role: sensitive, levels: [%s]}
             X: {role: context, levels: [low, high]}
             A: {role: action, levels: [left, right]}
             R: {role: reward}
           graph: "dag { {gender race X A} -> R }"
           arms: all
           reward: {range: [0, 1]}
           policy: {name: %s}
           fairness: {tau: 0.2%s}
           join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
           metrics: {every: 10}
           """
        .formatted(number, levels, policy, fairness);
  }

  private static String spec(String policy, int number, String fairness) {
    return spec(policy, number, fairness, "black, white, other");
  }

  private static Map<String, Object> person(String gender, String race) {
    return Map.of("gender", gender, "race", race, "X", "low");
  }

  private static List<FairnessAudit> lastAudits(Scenario scenario) {
    Decision last = scenario.log.decisions.get(scenario.log.decisions.size() - 1);
    return scenario.log.audits.stream().filter(audit -> audit.seq() == last.seq()).toList();
  }

  private static String pair(FairnessAudit audit) {
    return audit.effect().attribute()
        + ": "
        + audit.effect().factual()
        + " > "
        + audit.effect().counterfactual();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"screen", "linucb, constraint: hard", "f-ucb", "oam, horizon: 50", "ofulog"})
  void everyModelAuditsWhatChangesTogetherUnderJointNames(String policy) {
    Scenario scenario = Scenario.under(spec(policy, 1, ", intersections: true"));
    scenario.context("d1", 0, person("f", "black"));
    assertEquals(
        List.of(
            "gender: f > m",
            "race: black > white",
            "race: black > other",
            "gender*race: f*black > m*white",
            "gender*race: f*black > m*other"),
        lastAudits(scenario).stream().map(IntersectionSegmentTest::pair).toList());
    Map<String, Object> silent = Map.of("race", "other", "X", "low");
    scenario.context("d2", 1, silent);
    assertEquals(
        TestSpecs.compiled(spec(policy, 1, ", intersections: true")).comparisons(silent),
        lastAudits(scenario).size());
    TreeSet<String> joint = new TreeSet<>();
    for (FairnessAudit audit : lastAudits(scenario)) {
      if ("gender*race".equals(audit.effect().attribute())) {
        joint.add(audit.effect().factual() + " > " + audit.effect().counterfactual());
      }
    }
    assertEquals(
        List.of("f*other > m*black", "f*other > m*white", "m*other > f*black", "m*other > f*white"),
        List.copyOf(joint),
        "who does not tell a value is compared in all pairs of it");
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  /** The gateway waits for as many records as the audit has. */
  @Test
  void everyKindOfEffectThatTheGraphHasCounts() {
    String text =
        spec("d-ucb", 1, ", intersections: true")
            .replace("tau: 0.2", "tau: {total: 0.2, direct: 0.1, indirect: 0.15}")
            .replace(
                "R: {role: reward}", "M: {role: mediator, levels: [no, yes]}\n  R: {role: reward}")
            .replace("{gender race X A} -> R", "gender -> M; {gender race X A M} -> R")
            .replace("d-ucb}", "d-ucb, separating-set: parents}")
            .concat(
                "distributions: {cpts: {M: {given: [gender], rows: [[f, 0.5, 0.5], [m, 0.4, 0.6]]},"
                    + " gender: {given: [], rows: [[0.5, 0.5]]}}}\n");
    Scenario scenario = Scenario.under(text);
    for (Map<String, Object> person :
        List.of(person("f", "black"), Map.<String, Object>of("race", "other", "X", "low"))) {
      scenario.context("d" + person.size(), 0, person);
      assertEquals(TestSpecs.compiled(text).comparisons(person), lastAudits(scenario).size(), text);
    }
    assertEquals(
        Set.of(TOTAL, DIRECT, INDIRECT),
        scenario.log.audits.stream().map(it -> it.effect().kind()).collect(Collectors.toSet()));
    assertEquals(
        Set.of(TOTAL, DIRECT),
        scenario.log.audits.stream()
            .filter(it -> "race".equals(it.effect().attribute()))
            .map(it -> it.effect().kind())
            .collect(Collectors.toSet()));
  }

  /** Each attribute alone is worth 0.19, which is fair; both together 0.38, which is not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ofulog",
        "linucb, model: shared, features: [intercept, one-hot: gender, one-hot: race,"
            + " one-hot: A]"
      })
  void whatIsFairOneByOneMayBeUnfairTogether(String policy) {
    Scenario scenario = Scenario.under(spec(policy, 1, ", intersections: true", "black, white"));
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 6000; i++) {
      boolean isMan = i % 4 >= 2;
      boolean isWhite = i % 2 == 1;
      scenario.context("d" + i, i, person(isMan ? "m" : "f", isWhite ? "white" : "black"));
      double mean = 0.3 + (isMan ? 0.19 : 0) + (isWhite ? 0.19 : 0);
      scenario.reward("d" + i, i + 0.5, random.nextDouble() < mean ? 1 : 0);
    }
    scenario.context("last", 6000, person("f", "black"));
    List<FairnessAudit> audits = lastAudits(scenario);
    assertEquals(3, audits.size());
    assertEquals(
        0.19, Objects.requireNonNull(audits.get(0).effect().estimate()), 0.05, "seed " + SEED);
    assertEquals(
        0.19, Objects.requireNonNull(audits.get(1).effect().estimate()), 0.05, "seed " + SEED);
    assertEquals(
        0.38, Objects.requireNonNull(audits.get(2).effect().estimate()), 0.06, "seed " + SEED);
    assertEquals("UNFAIR", Objects.requireNonNull(audits.get(2).verdict()).name());
    assertTrue(!"UNFAIR".equals(Objects.requireNonNull(audits.get(0).verdict()).name()));
  }

  @Test
  void dualVariablesStartAnewWhereIntersectionsCome() {
    Scenario scenario = Scenario.under(spec("dual-upper", 1, ""));
    scenario.context("d1", 0, person("f", "black"));
    assertEquals(3, lastAudits(scenario).size());
    scenario.book.publish(spec("dual-upper", 2, ", intersections: true"));
    scenario.context("d2", 1, person("f", "black"));
    assertEquals(5, lastAudits(scenario).size());
    assertEquals(
        List.of("policy-state"),
        scenario.log.segmentEvents.get(scenario.log.segmentEvents.size() - 1).stateReset());
    lastAudits(scenario).forEach(audit -> assertEquals(0.0, audit.dual()));
  }

  @Test
  void tooManyComparisonsAreRefusedWithTheirNumber() {
    SpecException refused =
        assertThrows(
            SpecException.class,
            () -> TestSpecs.compiled(spec("screen", 1, ", intersections: true", twoHundred())));
    assertTrue(
        refused.getMessage().contains("true with up to 79600 joint comparisons a decision"),
        refused.getMessage());
  }

  private static String twoHundred() {
    StringBuilder levels = new StringBuilder("l0");
    for (int i = 1; i < 200; i++) {
      levels.append(", l").append(i);
    }
    return levels.toString();
  }
}
