package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.tabular.DualState;
import io.equipoise.policy.tabular.TabularPolicy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S -> M <- A, M -> R: the arms 0 and 3 treat both alike, the arms 1 and 2 do not. */
class TabularExplorationTest {
  private static final int[] PERSON = {0};
  private static final int ROUND = 300;
  private static final Set<Integer> FAIR = Set.of(0, 3);
  private static final double[] MEANS = {.5, .9, .8, .4};

  private static TestSpec spec(String policy) {
    return TestSpec.spec()
        .variable("S", "sensitive", 2, ", missing: reject")
        .variable("A", "action", 4)
        .variable("M", "mediator", 2)
        .graph("S -> M A -> M M -> R")
        .cpt(
            "M",
            "S, A",
            "['0','0',.5,.5],['0','1',.9,.1],['0','2',.8,.2],['0','3',.4,.6],"
                + "['1','0',.5,.5],['1','1',.1,.9],['1','2',.2,.8],['1','3',.4,.6]")
        .policy("name: " + policy);
  }

  private static TabularPolicy bandit(String policy) {
    return spec(policy).compile();
  }

  /** What M = 0 brings is 1, what M = 1 brings is 0, fifty times each. */
  private static ModelState taught(TabularPolicy bandit) {
    ModelState modelState = new MemoryModelState();
    for (int i = 0; i < 50; i++) {
      bandit.learn(modelState, PERSON, 0, new int[] {0}, 1);
      bandit.learn(modelState, PERSON, 0, new int[] {1}, 0);
    }
    return modelState;
  }

  private static SeededRandom draw(int i) {
    return new SeededRandom(5, "s", "d" + i);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ucb",
        "c-ucb",
        "d-ucb",
        "f-ucb",
        "d-ucb, constraint: dual",
        "d-ucb, constraint: screen",
        "ucb, ties: seeded"
      })
  void overAllEveryArmIsPlayedAsOftenAsItsPropensitySays(String policy) {
    TabularPolicy plain = bandit(policy);
    TabularPolicy exploring = bandit(policy + ", explore: {share: 0.4, over: all}");
    ModelState modelState = taught(plain);
    int[] played = new int[4];
    double[] propensities = new double[4];
    int decisions = 4000;
    for (int i = 0; i < decisions; i++) {
      Choice ruled = plain.choose(modelState, PERSON, ROUND, draw(i));
      Choice choice = exploring.choose(modelState, PERSON, ROUND, draw(i));
      assertEquals(PropensityKind.EXACT, choice.propensityKind());
      double sum = 0;
      for (int arm = 0; arm < 4; arm++) {
        propensities[arm] = choice.propensities()[arm];
        assertEquals(.6 * ruled.propensities()[arm] + .1, propensities[arm], 1e-15);
        sum += propensities[arm];
      }
      assertEquals(1, sum, 1e-15);
      assertEquals(choice.arm() != ruled.arm(), choice.explored());
      assertEquals(choice.explored() ? DecisionReason.EXPLORE : ruled.reason(), choice.reason());
      assertEquals(choice.explored() ? null : ruled.excluded(), choice.excluded());
      assertEquals(ruled.fairSetSize(), choice.fairSetSize());
      played[choice.arm()]++;
    }
    for (int arm = 0; arm < 4; arm++) {
      double p = propensities[arm];
      double four = 4 * Math.sqrt(p * (1 - p) / decisions);
      assertEquals(p, played[arm] / (double) decisions, four, "four standard deviations");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"d-ucb", "f-ucb", "d-ucb, constraint: screen"})
  void theRecordTellsOfTheArmThatWasPlayed(String policy) {
    TabularPolicy bandit = bandit(policy + ", explore: {share: 0.9, over: all}");
    Set<Integer> explored = new TreeSet<>();
    for (int i = 0; i < 100; i++) {
      ModelState modelState = taught(bandit);
      AuditedChoice audited = bandit.chooseAndAudit(modelState, PERSON, ROUND, draw(i));
      Choice choice = audited.choice();
      assertEquals(MEANS[choice.arm()], choice.mean(), 1e-12);
      assertEquals(choice.index() - choice.mean(), choice.width());
      assertTrue(choice.width() > .05, "a bonus of its own: " + choice.width());
      assertEquals(FAIR.contains(choice.arm()), choice.certified());
      assertEquals(bandit.audit(modelState, PERSON, choice.arm(), ROUND), audited.findings());
      assertEquals(choice.excluded() == null, audited.left() == null);
      if (choice.explored()) {
        explored.add(choice.arm());
      }
    }
    assertEquals(3, explored.size(), "all but the rule's");
  }

  @Test
  void overTheFairSetNoArmIsDrawnThatIsNotCertified() {
    double[] ofFair = {.75, 0, 0, .25};
    double[] ofAny = {.25, .5, 0, .25};
    for (String policy : List.of("f-ucb", "d-ucb", "d-ucb, constraint: dual")) {
      TabularPolicy bandit = bandit(policy + ", explore: {share: 0.5, over: fair-set}");
      ModelState modelState = taught(bandit);
      int drawn = 0;
      for (int i = 0; i < 300; i++) {
        Choice choice = bandit.choose(modelState, PERSON, ROUND, draw(i));
        assertArrayEquals(policy.equals("f-ucb") ? ofFair : ofAny, choice.propensities(), 1e-15);
        if (choice.explored()) {
          assertTrue(choice.certified() && FAIR.contains(choice.arm()), policy);
          assertEquals(1, Objects.requireNonNull(choice.excluded()).arm(), "kept out of the draw");
          drawn++;
        }
      }
      assertTrue(drawn > 50, policy + " drew " + drawn);
    }
  }

  @Test
  void whereNoArmIsCertifiedTheRulesIsPlayedWithItsPropensities() {
    String unfair = "[{id: a, A: '1'}, {id: b, A: '2'}]";
    TabularPolicy plain = spec("f-ucb").arms(unfair).compile();
    TabularPolicy exploring =
        spec("f-ucb, explore: {share: 0.5, over: fair-set}").arms(unfair).compile();
    for (int i = 0; i < 50; i++) {
      Choice choice = exploring.choose(new MemoryModelState(), PERSON, 1, draw(i));
      assertEquals(plain.choose(new MemoryModelState(), PERSON, 1, draw(i)), choice);
      assertEquals(PropensityKind.DETERMINISTIC, choice.propensityKind());
    }
  }

  @Test
  void anUntriedArmThatTheDrawLeftPaysNoMoreThanTheGreatestReward() {
    TabularPolicy bandit = bandit("ucb, explore: {share: 0.9}");
    ModelState modelState = new MemoryModelState();
    for (int person = 0; person < 2; person++) {
      for (int i = 0; i < 4000; i++) {
        bandit.learn(modelState, new int[] {person}, 0, new int[] {-1}, .5);
      }
    }
    int drawn = 0;
    for (int i = 0; i < 50; i++) {
      Choice choice = bandit.choose(modelState, PERSON, 1, draw(i));
      assertEquals(choice.arm() == 0, choice.explored(), "the untried arm 1 is the rule's");
      if (choice.explored()) {
        assertEquals(new ExcludedArm(1, 1), choice.excluded());
        drawn++;
      } else {
        assertNull(choice.excluded());
      }
    }
    assertTrue(drawn > 30, "drawn " + drawn);
  }

  @Test
  void theIndexOfADrawnArmIsClippedIntoItsCausalBounds() throws CausalBoundException {
    TabularPolicy bandit =
        bandit("ucb-pcb, causal-bounds: {name: p, delta: 0.05}, explore: {share: 0.9, over: all}");
    CausalBoundTable table =
        CausalBoundTable.of(
            bandit.spec(),
            List.of(
                new CausalBoundRow("A=0", Map.of(), .25, .75, false),
                new CausalBoundRow("A=1", Map.of(), .5, .6, false)));
    ClippedIndex clip = ClippedIndex.into(table, new BitSet(), bandit.spec().reward().range());
    double[] expected = {.75, .6, 1, 1};
    Set<Integer> explored = new TreeSet<>();
    for (int i = 0; i < 100; i++) {
      Choice choice = bandit.choose(new MemoryModelState(), PERSON, 1, draw(i), clip);
      assertEquals(expected[choice.arm()], choice.index());
      if (choice.explored()) {
        explored.add(choice.arm());
      }
    }
    assertEquals(Set.of(0, 1, 3), explored);
  }

  /** An answer that is taken over after a failure moves what the answer itself moved. */
  @Test
  void thePriceMovesByTheArmThatWasDrawn() {
    TabularPolicy bandit = bandit("d-ucb, constraint: dual, explore: {share: 0.9, over: all}");
    List<Candidate> offers = new ArrayList<>();
    for (int arm = 0; arm < 4; arm++) {
      offers.add(new Candidate("A=" + arm, arm, Profile.of(arm)));
    }
    Request request = new Request(Profile.of(0), offers, true, offers.size());
    Set<Double> prices = new TreeSet<>();
    for (int i = 0; i < 50; i++) {
      ModelState decided = taught(bandit);
      ModelState recalled = taught(bandit);
      Choice choice = bandit.decide(decided, request, ROUND, draw(i), ClippedIndex.NONE).choice();
      PublishedChoice given = new PublishedChoice(choice, null);
      bandit.decide(recalled, request, ROUND, draw(i), ClippedIndex.NONE, given);
      assertNotNull(decided.get(DualState.KEY));
      assertEquals(DualState.duals(recalled), DualState.duals(decided));
      prices.add(DualState.duals(decided).phi(0));
    }
    assertEquals(3, prices.size(), "none for the fair arms, two for the unfair");
  }

  @Test
  void anotherShareKeepsThePriceAndAnotherConstraintDoesNot() {
    TabularPolicy plain = bandit("d-ucb, constraint: dual");
    TabularPolicy exploring = bandit("d-ucb, constraint: dual, explore: {share: 0.1}");
    TabularPolicy upper = bandit("d-ucb, constraint: dual-upper, explore: {share: 0.1}");
    ModelState modelState = taught(plain);
    plain.chooseAndAudit(modelState, PERSON, ROUND, draw(0));
    assertEquals(plain.fingerprint(), exploring.fingerprint());
    assertEquals(List.of(), exploring.succeed(plain, modelState));
    long decisions = DualState.duals(modelState).decisions();
    assertEquals(1, decisions);
    assertEquals(List.of(Policy.POLICY_STATE), upper.succeed(exploring, modelState));
    assertEquals(0, DualState.duals(modelState).phi(0));
    assertEquals(decisions, DualState.duals(modelState).decisions());
  }
}
