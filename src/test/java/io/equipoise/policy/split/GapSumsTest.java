package io.equipoise.policy.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.event.GapPart;
import io.equipoise.event.GapPartKind;
import io.equipoise.event.GapSplit;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.TestSpec;
import io.equipoise.policy.constraint.ContrastBoundary;
import io.equipoise.segmentspec.SpecException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The sums of one split: golden values, a hostile policy, groups that come at different times. */
class GapSumsTest {
  private static final double[] NO_INPUTS = {};

  /** S, then Z, which shares a hidden cause with S, W, which S moves, the arm A, M after it. */
  private static TestSpec spec() {
    return TestSpec.spec()
        .variable("S", "sensitive", 2, ", missing: reject")
        .variable("Z", "context", 2)
        .variable("W", "context", 2)
        .variable("A", "action", 2)
        .variable("M", "mediator", 2)
        .graph("S <-> Z S -> W Z -> W S -> M A -> M Z -> R W -> R S -> R A -> R M -> R")
        .reward("range: [0, 1]")
        .policy("name: ucb")
        .fairness("tau: 0.1, delta: 0.05, split: all");
  }

  private static JsonNode golden(String name) throws Exception {
    try (InputStream in = GapSumsTest.class.getResourceAsStream("/split/" + name)) {
      return new ObjectMapper().readTree(in);
    }
  }

  private static void learn(LiveSplits splits, ModelState state, int[] row, double reward) {
    int[] person = {row[0], row[1], row[2]};
    int[] mediators = {row[4]};
    splits.observe(state, new Experience(person, NO_INPUTS, row[3], 0, mediators, reward), 7);
  }

  /** All rewards are coin flips; whoever has S = 1 reports the mediator only after a 1. */
  @Test
  void whatOneGroupReportsByOutcomeProvesNothing() {
    LiveSplits splits = new LiveSplits(spec().build());
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(5);
    for (int t = 0; t < 6000; t++) {
      int s = random.nextInt(2);
      int reward = random.nextInt(2);
      int m = s == 1 && reward == 0 ? -1 : random.nextInt(2);
      int[] row = {s, random.nextInt(2), random.nextInt(2), random.nextInt(2), m};
      learn(splits, state, row, reward);
    }
    GapSplit split = splits.report(state).get(0);
    for (GapPart part : split.withGap()) {
      assertTrue(part.lower() <= 0 && part.upper() >= 0, part.toString());
    }
    GapPart direct = split.parts().get(split.parts().size() - 1);
    assertTrue(direct.unmatched() > .45, direct.toString());
  }

  /** The stream of the golden file, by its own generator. */
  private static final class Stream {
    private final JsonNode p;
    private long x = 12345;

    Stream(JsonNode golden) {
      p = golden.get("probabilities");
    }

    private int draw(double probability) {
      x = (x * 0x5DEECE66DL + 0xBL) & ((1L << 48) - 1);
      return (double) (x >>> 16) / (1L << 32) < probability ? 1 : 0;
    }

    private double of(String name, int one, int other) {
      return p.get(name).get(one).get(other).asDouble();
    }

    /** Returns group, z, w, arm, m and reward. */
    int[] next() {
      int g = draw(p.get("group").asDouble());
      int z = draw(p.get("z").get(g).asDouble());
      int w = draw(of("w", g, z));
      int arm = draw(of("arm", g, w));
      int m = draw(of("m", g, arm));
      int r = draw(.1 + .08 * g + .15 * z + .2 * w + .05 * arm + .25 * m);
      return new int[] {g, z, w, arm, m, r};
    }
  }

  @Test
  void everyPartHasTheGoldenEstimateAndEnds() throws Exception {
    JsonNode golden = golden("stream.json");
    Stream stream = new Stream(golden);
    LiveSplits splits = new LiveSplits(spec().build());
    ModelState state = new MemoryModelState();
    int t = 0;
    for (JsonNode check : golden.get("checks")) {
      for (; t < check.get("t").asInt(); t++) {
        int[] row = stream.next();
        learn(splits, state, row, row[5]);
      }
      GapSplit split = splits.report(state).get(0);
      assertEquals(check.get("reference").asLong(), split.referenceRewards());
      assertEquals(check.get("other").asLong(), split.otherRewards());
      assertEquals(7, split.since());
      List<GapPart> parts = new ArrayList<>(split.parts());
      parts.add(split.gap());
      parts.add(split.rest());
      List<String> names = List.of("part1", "part2", "part3", "part4", "part5", "gap", "rest");
      double sum = 0;
      for (int i = 0; i < names.size(); i++) {
        JsonNode wanted = check.get("parts").get(names.get(i));
        GapPart part = parts.get(i);
        String place = names.get(i) + " at " + t;
        assertEquals(wanted.get("estimate").asDouble(), part.estimate(), 1e-9, place);
        assertEquals(Math.max(-1, wanted.get("lower").asDouble()), part.lower(), 1e-9, place);
        assertEquals(Math.min(1, wanted.get("upper").asDouble()), part.upper(), 1e-9, place);
        assertEquals(wanted.get("unmatched").asDouble(), part.unmatched(), 1e-9, place);
        sum += i < 5 ? part.estimate() : 0;
      }
      assertEquals(split.gap().estimate(), sum, 1e-12);
    }
    assertEquals(
        List.of("Z", "W", "arm", "M", "S"),
        splits.report(state).get(0).parts().stream().map(GapPart::name).toList());
  }

  @Test
  void theBoundaryTakesInfinitePenalties() throws Exception {
    JsonNode golden = golden("boundary.json");
    double[] lambdas = doubles(golden.get("lambdas"));
    for (JsonNode one : golden.get("cases")) {
      double u =
          ContrastBoundary.of(
              lambdas, doubles(one.get("P")), one.get("V").asDouble(), one.get("alpha").asDouble());
      assertEquals(1, u / one.get("u").asDouble(), 1e-9);
    }
  }

  private static double[] doubles(JsonNode array) {
    double[] doubles = new double[array.size()];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = array.get(i).isNull() ? Double.POSITIVE_INFINITY : array.get(i).asDouble();
    }
    return doubles;
  }

  private static List<GapPart> all(LiveSplits splits, ModelState state) {
    List<GapPart> parts = new ArrayList<>();
    for (GapSplit split : splits.report(state)) {
      parts.addAll(split.parts());
      parts.add(split.gap());
      parts.add(split.rest());
    }
    return parts;
  }

  /**
   * A policy that plays the arm with more variance while the gap's estimate is above its truth. The
   * same stream with the expected rewards has the same weights, so its estimates are the truth.
   */
  @Test
  void intervalsHoldAtAllTimesAgainstAHostilePolicy() {
    int runs = Tier.count(10, 1_000);
    int wrong = 0;
    LiveSplits splits = new LiveSplits(spec().build());
    for (int seed = 0; seed < runs; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ModelState state = new MemoryModelState();
      ModelState truth = new MemoryModelState();
      boolean isWrong = false;
      double ahead = 0;
      for (int t = 1; t <= 1_500; t++) {
        int group = random.nextDouble() < .3 ? 1 : 0;
        int z = random.nextDouble() < .3 + .3 * group ? 1 : 0;
        int w = random.nextDouble() < .2 + .3 * group + .2 * z ? 1 : 0;
        int arm = ahead > 0 ? 1 : 0;
        int m = random.nextDouble() < .3 + .2 * arm ? 1 : 0;
        double mean = arm == 0 ? .05 + .02 * z : .3 + .1 * w + .2 * m;
        double reward = random.nextDouble() < mean ? 1 : 0;
        learn(splits, state, new int[] {group, z, w, arm, m}, reward);
        learn(splits, truth, new int[] {group, z, w, arm, m}, mean);
        if (t % 20 == 0) {
          List<GapPart> found = all(splits, state);
          List<GapPart> true_ = all(splits, truth);
          for (int i = 0; i < found.size(); i++) {
            double value = true_.get(i).estimate();
            isWrong |= value < found.get(i).lower() || value > found.get(i).upper();
          }
          ahead = found.isEmpty() ? 0 : found.get(5).estimate() - true_.get(5).estimate();
        }
      }
      wrong += isWrong ? 1 : 0;
    }
    Tier.foundShare(getClass(), "hostile policy: runs with a part outside", wrong, runs);
    assertTrue(wrong <= runs / 20, wrong + " of " + runs);
  }

  /** Equal groups, a policy that gets better, and a group that comes late. */
  @Test
  void groupsThatComeAtOtherTimesAreComparedAtEqualTimes() {
    LiveSplits splits = new LiveSplits(spec().build());
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(2);
    double[] sum = new double[2];
    int[] count = new int[2];
    int n = 20_000;
    for (int t = 0; t < n; t++) {
      double time = (double) t / n;
      int group = random.nextDouble() < .1 + .6 * time ? 1 : 0;
      int[] row = {group, 0, random.nextInt(2), random.nextInt(2), random.nextInt(2)};
      double reward = random.nextDouble() < .3 + .3 * time ? 1 : 0;
      sum[group] += reward;
      count[group]++;
      learn(splits, state, row, reward);
    }
    double plain = sum[1] / count[1] - sum[0] / count[0];
    GapPart gap = splits.report(state).get(0).gap();
    assertTrue(plain > .05, "plain gap " + plain);
    assertTrue(Math.abs(gap.estimate()) <= .03, "matched gap " + gap);
    assertFalse(gap.isProven());
  }

  @Test
  void aPolicyThatSeparatesTheGroupsLeavesTheArmUnmatchedAndRestNot() {
    LiveSplits splits = new LiveSplits(spec().build());
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(4);
    for (int t = 0; t < 10_000; t++) {
      int group = random.nextInt(2);
      int[] row = {group, random.nextInt(2), random.nextInt(2), group, random.nextInt(2)};
      learn(splits, state, row, random.nextDouble() < .4 + .2 * group ? 1 : 0);
    }
    GapSplit split = splits.report(state).get(0);
    GapPart policy = split.parts().get(2);
    assertEquals(GapPartKind.POLICY, policy.kind());
    assertTrue(policy.unmatched() > .5, policy.toString());
    assertFalse(policy.isProven());
    assertEquals(.2, split.rest().estimate(), .05);
    assertTrue(split.rest().isProven());
  }

  /** M alone makes the gap of .24; returns the split where a share of people report it. */
  private static GapSplit splitWithReportedShare(double share) {
    LiveSplits splits = new LiveSplits(spec().build());
    ModelState state = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(8);
    for (int t = 0; t < 20_000; t++) {
      int group = random.nextInt(2);
      int m = random.nextDouble() < .2 + .6 * group ? 1 : 0;
      int reported = random.nextDouble() < share ? m : -1;
      int[] row = {group, 0, random.nextInt(2), random.nextInt(2), reported};
      learn(splits, state, row, random.nextDouble() < .3 + .4 * m ? 1 : 0);
    }
    GapSplit split = splits.report(state).get(0);
    double sum = split.parts().stream().mapToDouble(GapPart::estimate).sum();
    assertEquals(split.gap().estimate(), sum, 1e-9);
    assertEquals(.24, split.gap().estimate(), .03);
    assertEquals(0, split.leftOut());
    return split;
  }

  @Test
  void theEffectOfAMediatorThatNobodyReportsIsNotDirect() {
    GapSplit split = splitWithReportedShare(0);
    GapPart mediator = split.parts().get(3);
    GapPart direct = split.parts().get(4);
    assertEquals(1, direct.unmatched(), "nobody has a counterpart");
    assertEquals(1, mediator.unmatched(), .01);
    double mean = .38; // of the reference
    assertTrue(direct.lower() <= -mean && direct.upper() >= 1 - mean, direct.toString());
    assertFalse(mediator.isProven(), mediator.toString());
    assertTrue(split.gap().isProven() && split.gap().unmatched() < .01, split.toString());
    assertEquals(0, split.parts().get(2).unmatched(), .01, "the level before the mediator's");
  }

  @Test
  void whoDoesNotReportAMediatorWidensItsPartAndTheDirectOne() {
    GapSplit split = splitWithReportedShare(.5);
    GapPart mediator = split.parts().get(3);
    GapPart direct = split.parts().get(4);
    assertEquals(.5, direct.unmatched(), .02);
    assertEquals(.5, mediator.unmatched(), .02);
    assertTrue(direct.lower() <= -.2 && direct.upper() >= .2, direct.toString());
    assertTrue(mediator.lower() <= .04 && mediator.upper() >= .44, mediator.toString());
    GapSplit whole = splitWithReportedShare(1);
    assertEquals(.24, whole.parts().get(3).estimate(), .03);
    assertTrue(whole.parts().get(3).isProven());
    assertFalse(whole.parts().get(4).isProven());
    assertEquals(0, whole.parts().get(4).unmatched(), .01);
  }

  /** Only T moves M, which so is among the confounders of S. */
  @Test
  void whoDoesNotReportAConfoundingMediatorHasNoCounterpartInAnyPart() {
    LiveSplits splits = new LiveSplits(twoAttributes().fairness("tau: 0.1, split: all").build());
    ModelState state = new MemoryModelState();
    for (int i = 0; i < 400; i++) {
      int[] person = {i % 2, i / 2 % 2};
      splits.observe(
          state, new Experience(person, NO_INPUTS, 0, 0, new int[] {-1}, i % 3 / 2.0), 7);
    }
    GapSplit other = splits.report(state).get(1);
    assertEquals("T", other.attribute());
    assertEquals(1, other.parts().get(0).unmatched(), .02);
    assertEquals(2, other.parts().get(1).unmatched(), "two levels without counterparts");
    assertEquals(1, other.parts().get(2).unmatched());
    assertEquals(0, other.gap().unmatched(), .02);
  }

  @Test
  void peopleWhoDiscloseTooLittleAreLeftOutAndThoseWithoutAMediatorAreNot() {
    LiveSplits splits = new LiveSplits(spec().build());
    ModelState state = new MemoryModelState();
    learn(splits, state, new int[] {0, 1, 1, 0, -1}, 1);
    learn(splits, state, new int[] {1, 1, 1, 0, -1}, 0);
    learn(splits, state, new int[] {1, 1, 1, -1, 0}, 1);
    learn(splits, state, new int[] {1, 2, 1, 1, 0}, 1);
    GapSplit split = splits.report(state).get(0);
    assertEquals(2, split.leftOut());
    assertEquals(1, split.otherRewards());
  }

  @Test
  void anotherMeaningStartsAnewAndEqualOnesGoOn() {
    ModelState state = new MemoryModelState();
    LiveSplits splits = new LiveSplits(spec().build());
    for (int i = 0; i < 4; i++) {
      learn(splits, state, new int[] {i % 2, 1, 1, 0, 1}, 1);
    }
    new LiveSplits(spec().policy("name: ucb, ties: seeded").build()).succeed(state);
    assertEquals(1, splits.report(state).size());
    LiveSplits other = new LiveSplits(spec().fairness("tau: 0.1, split: [Z, W]").build());
    assertEquals(List.of(), other.report(state), "blocks of another meaning are not read");
    other.succeed(state);
    assertFalse(state.entries().iterator().hasNext());
  }

  @Test
  void aStoppedSplitCountsNothingUntilASpecWithoutIt() {
    ModelState state = new MemoryModelState();
    LiveSplits splits = new LiveSplits(spec().build());
    for (int i = 0; i < 4; i++) {
      learn(splits, state, new int[] {i % 2, 1, 1, 0, 1}, 1);
    }
    splits.stop(state);
    ModelState back = new MemoryModelState();
    for (Map.Entry<Long, StateBlock> entry : state.entries()) {
      ByteBuffer bytes = StoredBytes.of(entry.getValue()).flip();
      back.put(entry.getKey(), StoredBytes.read(new SplitBlock(), bytes));
    }
    for (int spec = 0; spec < 2; spec++) {
      for (int i = 0; i < 4; i++) {
        learn(splits, back, new int[] {i % 2, 1, 1, 0, 1}, 1);
      }
      assertEquals(spec, splits.report(back).size());
      LiveSplits without = new LiveSplits(spec().fairness("tau: 0.1, delta: 0.05").build());
      assertFalse(without.continues(splits));
      without.succeed(back);
      assertFalse(back.entries().iterator().hasNext());
    }
  }

  @Test
  void blocksComeBackFromTheirBytes() throws Exception {
    ModelState state = new MemoryModelState();
    LiveSplits splits = new LiveSplits(spec().build());
    for (int i = 0; i < 40; i++) {
      learn(splits, state, new int[] {i % 2, i % 3 == 0 ? 1 : 0, 1, 0, 1}, i % 5 == 0 ? 1 : 0);
    }
    ModelState back = new MemoryModelState();
    for (Map.Entry<Long, StateBlock> entry : state.entries()) {
      assertTrue(entry.getKey() < -(1L << 32), "far from the keys of models");
      ByteBuffer bytes = StoredBytes.of(entry.getValue()).flip();
      boolean isOfStrata = ((SplitBlock) entry.getValue()).values().length == 16 * 3;
      assertTrue(!isOfStrata || bytes.limit() <= 13 + 6 + 8 * 3 * 8, "empty strata take bits");
      back.put(entry.getKey(), StoredBytes.read(new SplitBlock(), bytes));
    }
    assertEquals(splits.report(state), splits.report(back));
  }

  /** 16 strata are with the sums, then 24 of the arm with 5 of M below each, two in each block. */
  @Test
  void everyStratumHasAPlaceOfItsOwnInOneOfFewBlocks() {
    LiveSplits splits =
        new LiveSplits(
            TestSpec.spec()
                .variable("S", "sensitive", 2, ", missing: reject")
                .variable("Z", "context", 3)
                .variable("W", "context", 4)
                .variable("A", "action", 2)
                .variable("M", "mediator", 5)
                .graph("S <-> Z S -> W Z -> W S -> M A -> M Z -> R W -> R S -> R A -> R M -> R")
                .reward("range: [0, 1]")
                .policy("name: ucb")
                .fairness("tau: 0.1, delta: 0.05, split: all")
                .build());
    ModelState state = new MemoryModelState();
    for (int i = 0; i < 3 * 4 * 2 * 5; i++) {
      learn(splits, state, new int[] {0, i / 40, i / 10 % 4, i / 5 % 2, i % 5}, 1);
    }
    List<Integer> sizes = new ArrayList<>();
    TreeMap<Double, Integer> strataOfPeople = new TreeMap<>();
    for (Map.Entry<Long, StateBlock> entry : state.entries()) {
      double[] numbers = ((SplitBlock) entry.getValue()).values();
      sizes.add(numbers.length);
      for (int at = numbers.length - 16 * 3; at < numbers.length; at += 3) {
        strataOfPeople.merge(numbers[at], 1, Integer::sum);
      }
    }
    assertEquals(13, sizes.size());
    assertEquals(Collections.nCopies(12, 16 * 3), sizes.subList(0, 12));
    int rest = 12 * 4;
    assertEquals(Map.of(0., rest, 120., 1, 40., 3, 10., 12, 5., 24, 1., 120), strataOfPeople);
  }

  @Test
  void whatTheGraphDoesNotIdentifyIsRefused() {
    String faults =
        assertThrows(
                SpecException.class,
                () ->
                    new LiveSplits(
                        spec()
                            .graph("S <-> Z Z <-> R S -> W W -> R S -> R A -> R M -> R A -> M")
                            .build()))
            .getMessage();
    assertTrue(faults.startsWith("fairness.split: parts that the graph does not identify"), faults);
    assertTrue(faults.contains(": given Z, R in the world with another S"), faults);
    new LiveSplits(
        spec().graph("S <-> Z Z -> R S -> W W -> R S -> R A -> R A -> M M -> R").build());
    String listed =
        assertThrows(
                SpecException.class,
                () -> new LiveSplits(spec().fairness("tau: 0.1, split: [W]").build()))
            .getMessage();
    assertTrue(listed.contains("S <-> Z"), listed);
  }

  /** S and T both cause the reward, and only S moves M. */
  private static TestSpec twoAttributes() {
    return TestSpec.spec()
        .variable("S", "sensitive", 2, ", missing: reject")
        .variable("T", "sensitive", 2, ", missing: reject")
        .variable("A", "action", 2)
        .variable("M", "mediator", 2)
        .graph("S -> R T -> R S -> M M -> R A -> R")
        .reward("range: [0, 1]")
        .policy("name: ucb");
  }

  @Test
  void anotherAttributeAndAMediatorThatItAloneMovesAreConfounders() {
    LiveSplits splits = new LiveSplits(twoAttributes().fairness("tau: 0.1, split: all").build());
    String end = " strata; delta 0.05 once more over ";
    assertEquals(
        List.of(
            "split S: T 2, +arm 4, +M 8" + end + "6 sums",
            "split T: S*M 4, +arm 8" + end + "5 sums"),
        splits.lines());
    ModelState state = new MemoryModelState();
    for (int i = 0; i < 8; i++) {
      int[] person = {i % 2, i / 4};
      splits.observe(state, new Experience(person, NO_INPUTS, 0, 0, new int[] {i % 3 - 1}, 1), 7);
    }
    assertEquals(2, splits.report(state).size());
  }

  @Test
  void aListWithoutAnotherAttributeIsRefusedWithThePathThroughTheArm() {
    TestSpec spec = twoAttributes().fairness("tau: 0.1, split: [M]");
    String faults =
        assertThrows(SpecException.class, () -> new LiveSplits(spec.build())).getMessage();
    assertEquals(
        "fairness.split: parts that the graph does not identify given; variables whose parts it"
            + " identifies: given A, R in the world with another S depends on S by S -> A <- T ->"
            + " R*. See docs/math/effect-split.md#when-a-graph-identifies-the-parts",
        faults.lines().findFirst().orElse(""));
  }

  @Test
  void noIntervalEndsBeyondTheWidthOfTheRange() {
    LiveSplits splits =
        new LiveSplits(spec().fairness("tau: 0.1, delta: 1e-12, split: all").build());
    ModelState state = new MemoryModelState();
    for (int i = 0; i < 10; i++) {
      learn(splits, state, new int[] {i % 2, 1, 1, 0, 1}, i % 3 / 2.0);
    }
    GapPart gap = splits.report(state).get(0).gap();
    assertEquals(-1, gap.lower());
    assertEquals(1, gap.upper());
    all(splits, state).forEach(it -> assertTrue(it.lower() >= -1 && it.upper() <= 1, "" + it));
  }

  @Test
  void aListNamesOtherVariablesThanTheAttributeOnce() {
    assertTrue(faults("[S]").contains("\"S\" given; one of Z, W, M"), faults("[S]"));
    assertTrue(faults("[Z, W, Z]").contains("every variable once"), faults("[Z, W, Z]"));
    assertTrue(faults("[]").contains("one variable or more"), faults("[]"));
    assertEquals(1, faults("[]").lines().count(), faults("[]"));
  }

  private static String faults(String split) {
    return assertThrows(
            SpecException.class, () -> spec().fairness("tau: 0.1, split: " + split).build())
        .getMessage();
  }

  @Test
  void checkNamesTheStrataAndTheSums() {
    assertEquals(
        List.of("split S: Z 2, +W 4, +arm 8, +M 16 strata; delta 0.05 once more over 7 sums"),
        new LiveSplits(spec().build()).lines());
  }
}
