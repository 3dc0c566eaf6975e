package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Decision;
import io.equipoise.event.GroupMean;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segmentspec.SpecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fair-LinUCB over the joint levels of several sensitive attributes (sections 4.3 and 4.4). */
class GroupBalanceSegmentTest {
  private static final long SEED = 61;
  private static final List<String> GENDERS = List.of("f", "m");
  private static final List<String> RACES = List.of("black", "white", "asian");
  private static final String SEVERAL =
      "gender: {role: sensitive, levels: [f, m]}\n"
          + "  race: {role: sensitive, levels: [black, white, asian]}";
  private static final String ONE =
      "both: {role: sensitive, levels: [f-black, f-white, f-asian, m-black, m-white, m-asian]}";

  private static String spec(String people, String graph, String groups, int number) {
    return """
           name: test
           version: %d
           segments: default
           seed: 5
           variables:
             %s
             A: {role: action, levels: [left, mid, right]}
             R: {role: reward}
           graph: "dag { {%s A} -> R }"
           arms: all
           reward: {range: [0, 1]}
           policy: {name: fair-linucb, alpha: 0.4, features: [intercept, one-hot: A], groups: {%s}}
           fairness: {tau: 0.2}
           join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
           metrics: {every: 10}
           """
        .formatted(number, people, graph, groups);
  }

  private static String several(String groups) {
    return spec(SEVERAL, "gender race", groups, 1);
  }

  private static Scenario played(String spec, boolean isJoint) {
    SplittableRandom random = new SplittableRandom(SEED);
    Scenario scenario = Scenario.under(spec);
    for (int i = 0; i < 400; i++) {
      String gender = GENDERS.get(random.nextInt(2));
      String race = RACES.get(random.nextInt(3));
      Map<String, Object> person =
          isJoint ? Map.of("both", gender + "-" + race) : Map.of("gender", gender, "race", race);
      scenario.context("d" + i, i, person);
      List<Decision> decisions = scenario.log.decisions;
      int arm = List.of("A=left", "A=mid", "A=right").indexOf(decisions.get(i).arm());
      double likes = gender.equals("f") ? 0.2 + 0.2 * arm : race.equals("white") ? 0.8 : 0.4;
      double reward = random.nextDouble() < likes ? 1 : 0.25;
      if (random.nextInt(5) > 0) {
        scenario.reward("d" + i, null, i + 0.5, reward, Map.of());
      }
    }
    return scenario;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[[m, white]] | [m-white] | [[f, black], [f, asian]] | [f-black, f-asian] | gamma: 3",
        "[[m, '*']] | [m-black, m-white, m-asian] | [[f, '*']] | [f-black, f-white, f-asian]"
            + " | gamma: adaptive",
        "[['*', white], [m, black]] | [f-white, m-white, m-black] | [[f, asian]] | [f-asian]"
            + " | gamma: 2, forget: {discount: 0.99}",
      })
  void severalAttributesAreBalancedAsOneOfTheirJointLevels(
      String privileged, String ofOne, String shielded, String shieldedOfOne, String more) {
    String groups =
        "attributes: [gender, race], privileged: %s, protected: %s, %s"
            .formatted(privileged, shielded, more);
    Scenario joint = played(several(groups), false);
    String single = "attribute: both, privileged: %s, protected: %s, %s";
    Scenario one = played(spec(ONE, "both", single.formatted(ofOne, shieldedOfOne, more), 1), true);
    TreeSet<String> arms = new TreeSet<>();
    for (int i = 0; i < 400; i++) {
      Decision wanted = one.log.decisions.get(i);
      Decision decision = joint.log.decisions.get(i);
      assertEquals(wanted.arm(), decision.arm(), "seed " + SEED + ", round " + i);
      assertEquals(wanted.index(), decision.index(), "seed " + SEED + ", round " + i);
      arms.add(decision.arm());
    }
    assertTrue(arms.size() > 1, "one arm only says nothing");
    joint.log.replay(new ReplayOracle(joint.book, new TestBounds()));
  }

  /** The gap that the policy works on is not one of any single attribute. */
  @Test
  void metricsCarryTheMeanRewardOfEveryJointGroup() {
    String groups = "attributes: [gender, race], privileged: [[m, '*']], protected: [[f, '*']]";
    Scenario scenario = played(several(groups), false);
    SegmentMetrics last = scenario.log.metrics.get(scenario.log.metrics.size() - 1);
    Map<String, List<Double>> rewards = new TreeMap<>();
    Map<Long, List<Double>> people = new TreeMap<>();
    scenario.log.decisions.forEach(one -> people.put(one.seq(), one.features()));
    for (SegmentEvent segmentEvent : scenario.log.segmentEvents) {
      if (segmentEvent.learnedReward() != null && segmentEvent.seq() <= last.seq()) {
        List<Double> person = Objects.requireNonNull(people.get(segmentEvent.decisionSeq()));
        String group =
            GENDERS.get(person.get(0).intValue()) + "*" + RACES.get(person.get(1).intValue());
        rewards.computeIfAbsent(group, none -> new ArrayList<>()).add(segmentEvent.learnedReward());
      }
    }
    int found = 0;
    for (GroupMean group : last.groups().means()) {
      List<Double> own = rewards.get(group.level());
      if (group.attribute().equals("gender*race") && own != null) {
        assertEquals(own.size(), group.rewards(), group.level());
        double mean = own.stream().mapToDouble(one -> one).average().orElseThrow();
        assertEquals(mean, group.mean(), 1e-12, group.level());
        found++;
      }
    }
    assertEquals(6, found, last.groups().toString());
  }

  /** The measure of the paper, for two sides: |rbar(s+) - rbar(s-)| over all their rewards. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "attributes: [gender, race], privileged: [[m, white]], protected: [[f, black], [f, asian]]"
            + " | gender*race | m-white | f-black f-asian",
        "attribute: race, privileged: white, protected: [black, asian]"
            + " | race | f-white m-white | f-black m-black f-asian m-asian",
        "attribute: race, privileged: white, protected: asian, forget: {rounds: 20}"
            + " | race | f-white m-white | f-asian m-asian",
      })
  void metricsCarryTheDifferenceOfTheTwoSides(
      String groups, String of, String privileged, String shielded) {
    Scenario scenario = played(several(groups), false);
    SegmentMetrics last = scenario.log.metrics.get(scenario.log.metrics.size() - 1);
    Map<Long, List<Double>> people = new TreeMap<>();
    scenario.log.decisions.forEach(one -> people.put(one.seq(), one.features()));
    List<Double> ahead = new ArrayList<>();
    List<Double> behind = new ArrayList<>();
    for (SegmentEvent segmentEvent : scenario.log.segmentEvents) {
      if (segmentEvent.learnedReward() != null && segmentEvent.seq() <= last.seq()) {
        List<Double> person = Objects.requireNonNull(people.get(segmentEvent.decisionSeq()));
        String group =
            GENDERS.get(person.get(0).intValue()) + "-" + RACES.get(person.get(1).intValue());
        if (List.of(privileged.split(" ")).contains(group)) {
          ahead.add(segmentEvent.learnedReward());
        } else if (List.of(shielded.split(" ")).contains(group)) {
          behind.add(segmentEvent.learnedReward());
        }
      }
    }
    assertTrue(ahead.size() > 20 && behind.size() > 20, "seed " + SEED);
    assertEquals(of, last.groups().differenceOf());
    assertEquals(Math.abs(mean(ahead) - mean(behind)), last.groups().difference(), 1e-12);
    Scenario unpaid = Scenario.under(several(groups));
    for (int i = 0; i < 10; i++) {
      unpaid.context("d" + i, i, Map.of("gender", "f", "race", "white"));
    }
    assertNull(unpaid.log.metrics.get(0).groups().difference(), "nobody was rewarded");
  }

  /** Joint levels are known to the policy only: what it forgets is not in the difference either. */
  @Test
  void theDifferenceOfJointLevelsForgetsWithThePolicy() {
    String groups =
        "attributes: [gender, race], privileged: [[m, white], [m, black]], protected: [[f, '*']],"
            + " forget: {discount: 0.9}";
    Scenario scenario = played(several(groups), false);
    SegmentMetrics last = scenario.log.metrics.get(scenario.log.metrics.size() - 1);
    Map<Long, Integer> rounds = new TreeMap<>();
    for (int i = 0; i < scenario.log.decisions.size(); i++) {
      rounds.put(scenario.log.decisions.get(i).seq(), i);
    }
    double[] weight = new double[2];
    double[] sum = new double[2];
    for (SegmentEvent segmentEvent : scenario.log.segmentEvents) {
      if (segmentEvent.learnedReward() != null && segmentEvent.seq() <= last.seq()) {
        int round = Objects.requireNonNull(rounds.get(segmentEvent.decisionSeq()));
        List<Double> person = scenario.log.decisions.get(round).features();
        boolean isMale = person.get(0) == 1;
        if (!isMale || person.get(1) < 2) {
          double share = Math.pow(0.9, 400 - round);
          weight[isMale ? 1 : 0] += share;
          sum[isMale ? 1 : 0] += share * segmentEvent.learnedReward();
        }
      }
    }
    double gap = Math.abs(sum[1] / weight[1] - sum[0] / weight[0]);
    assertEquals(gap, last.groups().difference(), 1e-12);
  }

  private static double mean(List<Double> rewards) {
    return rewards.stream().mapToDouble(one -> one).average().orElseThrow();
  }

  @Test
  void theSidesMatter() {
    String groups = "attributes: [gender, race], privileged: %s, protected: %s, gamma: 5";
    List<String> one =
        arms(played(several(groups.formatted("[[m, white]]", "[[f, black]]")), false));
    List<String> other =
        arms(played(several(groups.formatted("[[m, '*']]", "[[f, white]]")), false));
    assertTrue(!one.equals(other), "seed " + SEED);
  }

  private static List<String> arms(Scenario scenario) {
    return scenario.log.decisions.stream().map(one -> String.valueOf(one.arm())).toList();
  }

  @Test
  void otherGroupsStartThePushAnewAndKeepTheRegressions() {
    String groups = "attributes: [gender, race], privileged: %s, protected: [[f, black]]";
    Scenario scenario = played(several(groups.formatted("[[m, white]]")), false);
    scenario.book.publish(
        spec(SEVERAL, "gender race", groups.formatted("[[m, white], [m, asian]]"), 2));
    scenario.context("later", 401, Map.of("gender", "f", "race", "white"));
    assertEquals(List.of("policy-state"), stateReset(scenario));
    scenario.reward("later", null, 401.5, 1, Map.of());
    scenario.book.publish(
        spec(SEVERAL, "gender race", groups.formatted("[[m, asian], [m, white]]"), 3));
    scenario.context("last", 402, Map.of("gender", "f", "race", "white"));
    assertEquals(List.of(), stateReset(scenario), "the same groups in another order");
    String forgetting = groups.formatted("[[m, asian], [m, white]]") + ", forget: {rounds: 9}";
    scenario.book.publish(spec(SEVERAL, "gender race", forgetting, 4));
    scenario.context("forgetful", 403, Map.of("gender", "f", "race", "white"));
    assertEquals(List.of("policy-state"), stateReset(scenario));
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  private static List<String> stateReset(Scenario scenario) {
    return scenario.log.segmentEvents.stream()
        .filter(one -> one.type() == SegmentEventType.SPEC_ADOPTED)
        .reduce((before, after) -> after)
        .orElseThrow()
        .stateReset();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attribute: gender, attributes: [gender, race] | attribute too given; one of them",
        "attributes: [gender] | 1 items given; a list of 2 or more items",
        "attributes: [gender, gender] | each attribute once",
        "attributes: [gender, rice] | \"rice\" given; did you mean race?",
        "attributes: [gender, race], privileged: [[m, green]] | \"green\" given; race has one of",
        "attributes: [gender, race], privileged: [m] | \"m\" given; a list of a level, or \"*\"",
        "attributes: [gender, race], privileged: [[m]] | a list of a level, or \"*\" for every",
        "attributes: [gender, race], privileged: [[m, '*']], protected: [[m, white]] | a level in"
            + " both groups",
        "attributes: [gender, race], privileged: [[m, white]], protected: [] | protected, line 13:"
            + " an empty list given; at least one",
      })
  void everyFaultNamesItsPlaceTheValueAndTheRemedy(String pair) {
    String[] parts = pair.split(" \\| ", 2);
    String groups = parts[0];
    groups += groups.contains("privileged") ? "" : ", privileged: [[m, white]]";
    groups += groups.contains("protected") ? "" : ", protected: [[f, black]]";
    String text = several(groups + ", gamma: 1");
    String faults =
        assertThrows(SpecException.class, () -> TestSpecs.compiled(text)).faults().toString();
    assertTrue(faults.contains(parts[1]), faults);
  }
}
