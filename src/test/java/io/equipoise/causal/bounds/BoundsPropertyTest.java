package io.equipoise.causal.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DagittyText;
import io.equipoise.causal.RandomModel;
import io.equipoise.causal.Variable;
import io.equipoise.causal.effect.Adjustment;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.Evaluator;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Holds bounds to the truth in random models, exactly and from samples. */
class BoundsPropertyTest {
  private static final double TEST_TOLERANCE = 1e-9;
  private static final boolean IS_FULL = Tier.isFull();
  private static final int MODELS = IS_FULL ? 20_000 : 600;

  @Test
  void noSoundBoundExcludesTheTruth() {
    SplittableRandom random = seeded(20260301);
    int exact = 0;
    int informative = 0;
    for (int round = 0; round < MODELS; round++) {
      CausalGraph graph = RandomModel.graph(random, random.nextInt(5) > 0);
      RandomModel model = RandomModel.of(graph, random);
      BoundQuery query = query(graph, random);
      List<String> census =
          graph.observed().stream().filter(name -> random.nextInt(6) == 0).toList();
      ObservedValues observedValues = model.evidence().withUnselected(model.census(census));
      BoundPlan plan = BoundPlanner.of(graph).withCensus(census).plan(query);
      double widest = holds(model, plan, plan.evaluate(observedValues, Confidence.NONE));
      exact += widest < TEST_TOLERANCE ? 1 : 0;
      informative += widest >= TEST_TOLERANCE && widest < 1 ? 1 : 0;
    }
    Tier.found(
        BoundsPropertyTest.class, "random models, no SOUND bound excludes the truth", MODELS);
    Tier.found(BoundsPropertyTest.class, "of these exact", exact);
    Tier.found(BoundsPropertyTest.class, "of these informative", informative);
    assertTrue(exact > MODELS / 10 && informative > MODELS / 20, "exact and informative occur");
  }

  @Test
  void algorithmOneWithTheExchangeConditionDoesNotExcludeTheTruth() {
    SplittableRandom random = seeded(20260302);
    int informative = 0;
    for (int round = 0; round < MODELS; round++) {
      CausalGraph graph = RandomModel.graph(random, random.nextInt(3) > 0);
      RandomModel model = RandomModel.of(graph, random);
      BoundQuery query = query(graph, random);
      BoundPlan plan = BoundPlanner.of(graph).plan(query, BoundMode.PAPER);
      double widest = holds(model, plan, plan.evaluate(model.evidence(), Confidence.NONE));
      informative += widest < 1 ? 1 : 0;
    }
    assertTrue(informative > MODELS / 20, "some are informative: " + informative);
  }

  /** P(z) = .5, w = z with .95, P(y | w, z, x) = (w != z ? .9 : .1) + .02 x. */
  @Test
  void withoutTheExchangeConditionASurrogateWouldExcludeTheTruth() {
    CausalGraph graph = DagittyText.parse("dag { S [selected]; Z -> W -> Y; Z -> Y; X -> Y }");
    FindRsi rsi = FindRsi.of(graph, List.of("Y"), List.of("X"));
    assertFalse(rsi.isExchangeable(List.of("W")));
    assertTrue(rsi.adjustment(List.of("W")).isPresent());
    assertTrue(rsi.isAdjustment(List.of("W"), List.of("Z")));
    assertTrue(rsi.surrogate(List.of("W")).isEmpty());
    double[] weights = new double[16];
    for (int cell = 0; cell < 16; cell++) {
      int z = cell >> 3;
      int w = cell >> 2 & 1;
      int x = cell >> 1 & 1;
      double y1 = (w == z ? 0.1 : 0.9) + 0.02 * x;
      weights[cell] = 0.25 * (w == z ? 0.95 : 0.05) * ((cell & 1) == 1 ? y1 : 1 - y1);
    }
    ObservedValues observedValues =
        ObservedValues.selected(ContingencyTable.dense(binary("Z", "W", "X", "Y"), weights));
    Adjustment adjustment = Adjustment.of(graph, List.of("Y"), List.of("X", "W"));
    Estimand held = adjustment.estimand(adjustment.minimal().orElseThrow());
    for (int w = 0; w < 2; w++) {
      assertEquals(
          0.52,
          new Evaluator(held, observedValues).point(Map.of("X", 1, "W", w, "Y", 1)),
          TEST_TOLERANCE);
    }
    List<BoundRecord> records =
        BoundPlanner.of(graph)
            .plan(BoundQuery.of("Y", List.of("X"), List.of()))
            .evaluate(observedValues, Confidence.NONE);
    assertEquals(0.16, records.get(1).lower(), TEST_TOLERANCE);
    assertEquals(0.16, records.get(1).upper(), TEST_TOLERANCE);
  }

  @Test
  void correctedBoundsFromSamplesMissTheTruthInAtMostDelta() {
    SplittableRandom random = seeded(20260303);
    int trials = IS_FULL ? 4000 : 200;
    int missed = 0;
    int vacuous = 0;
    for (int trial = 0; trial < trials; trial++) {
      CausalGraph graph = RandomModel.graph(random, true);
      RandomModel model = RandomModel.of(graph, random);
      BoundPlan plan = BoundPlanner.of(graph).plan(query(graph, random));
      ObservedValues observedValues = ObservedValues.selected(sample(model, 500, random));
      List<BoundRecord> records = plan.evaluate(observedValues, new Confidence(0.2));
      boolean isMissed = false;
      for (BoundRecord record : records) {
        double truth = truth(model, record, plan.query());
        isMissed |= truth < record.lower() || truth > record.upper();
        vacuous += record.flags().contains(BoundFlag.VACUOUS) ? 0 : 1;
      }
      missed += isMissed ? 1 : 0;
    }
    double share = (double) missed / trials;
    Tier.found(BoundsPropertyTest.class, "share of sampled logs with a miss at delta .2", share);
    assertTrue(share <= 0.2 + 3 * Math.sqrt(0.2 * 0.8 / trials), "missed in " + share);
    assertTrue(vacuous > trials / 10, "so wide that it is no test");
  }

  /** Where the arm is a cause of the context, P(w | c) of the census is not P_x(w | c). */
  @Test
  void aCensusIsUsedOnlyWhereInterveningMakesNoDifference() {
    String edges = "W <-> X; W -> Y; X -> Y; W -> S; S [selected] }";
    CausalGraph caused = DagittyText.parse("dag { X -> C; " + edges);
    CausalGraph apart = DagittyText.parse("dag { C -> Y; " + edges);
    assertEquals(List.of(false), weightsKnown(caused));
    assertEquals(List.of(true), weightsKnown(apart));
  }

  private static List<Boolean> weightsKnown(CausalGraph graph) {
    return BoundPlanner.of(graph)
        .withCensus(List.of("W", "C"))
        .chain("Y", List.of("X"), List.of("C"), List.of("W"))
        .orElseThrow()
        .weights()
        .stream()
        .map(Optional::isPresent)
        .toList();
  }

  @Test
  void emptyCellsAreFlaggedAndTakenForAnything() {
    CausalGraph graph = DagittyText.parse("dag { X -> Y }");
    BoundPlan plan = BoundPlanner.of(graph).plan(BoundQuery.of("Y", List.of("X"), List.of()));
    ObservedValues observedValues =
        ObservedValues.unselected(
            ContingencyTable.dense(binary("X", "Y"), new double[] {0, 0, 3, 1}));
    List<BoundRecord> points = plan.evaluate(observedValues, Confidence.NONE);
    assertEquals(Set.of(BoundFlag.UNSUPPORTED, BoundFlag.VACUOUS), points.get(0).flags());
    assertEquals(0.25, points.get(1).lower());
    assertEquals(4, points.get(1).rows());
    List<BoundRecord> intervals = plan.evaluate(observedValues, Confidence.DEFAULT);
    assertEquals(Set.of(BoundFlag.UNSUPPORTED, BoundFlag.VACUOUS), intervals.get(0).flags());
    assertEquals(2, intervals.get(1).cells());
    assertEquals(ClopperPearson.lower(1, 4, 0.025), intervals.get(1).lower());
  }

  /** The known ends for 1 of 4 at 95 %, and the closed form for none of n. */
  @Test
  void clopperPearsonHasItsTextbookEnds() {
    assertEquals(0.0063094, ClopperPearson.lower(1, 4, 0.05), 1e-6);
    assertEquals(0.8058796, ClopperPearson.upper(1, 4, 0.05), 1e-6);
    assertEquals(0, ClopperPearson.lower(0, 10, 0.05));
    assertEquals(1 - Math.pow(0.025, 0.1), ClopperPearson.upper(0, 10, 0.05), 1e-12);
    assertEquals(Math.pow(0.025, 0.1), ClopperPearson.lower(10, 10, 0.05), 1e-12);
    assertEquals(1, ClopperPearson.upper(10, 10, 0.05));
  }

  /** Returns the width of the widest bound. */
  private static double holds(RandomModel model, BoundPlan plan, List<BoundRecord> records) {
    double widest = 0;
    for (BoundRecord record : records) {
      double truth = truth(model, record, plan.query());
      assertTrue(
          record.lower() - TEST_TOLERANCE <= truth && truth <= record.upper() + TEST_TOLERANCE,
          () -> model.graph() + " " + plan.query() + " " + truth + " " + record);
      widest = Math.max(widest, record.upper() - record.lower());
    }
    return widest;
  }

  private static double truth(RandomModel model, BoundRecord record, BoundQuery query) {
    return model.truth(Map.of(query.outcome(), 1), levels(record.arm()), levels(record.context()));
  }

  private static Map<String, Integer> levels(Map<String, String> labels) {
    Map<String, Integer> levels = new HashMap<>();
    labels.forEach((name, label) -> levels.put(name, Integer.parseInt(label)));
    return levels;
  }

  private static BoundQuery query(CausalGraph graph, SplittableRandom random) {
    List<String> left = new ArrayList<>(graph.observed());
    String y = left.remove(random.nextInt(left.size()));
    List<String> x = new ArrayList<>(List.of(left.remove(random.nextInt(left.size()))));
    List<String> c = new ArrayList<>();
    if (left.size() > 1 && random.nextInt(4) == 0) {
      x.add(left.remove(random.nextInt(left.size())));
    }
    if (random.nextBoolean()) {
      c.add(left.remove(random.nextInt(left.size())));
    }
    return BoundQuery.of(y, x, c);
  }

  private static ContingencyTable sample(RandomModel model, int rows, SplittableRandom random) {
    ContingencyTable exact = model.evidence().tables().get(0);
    Map<Long, Integer> counts = new TreeMap<>();
    for (int row = 0; row < rows; row++) {
      double at = random.nextDouble();
      long drawn = 0;
      for (long code : exact.codes()) {
        drawn = code;
        at -= exact.weight(code);
        if (at < 0) {
          break;
        }
      }
      counts.merge(drawn, 1, Integer::sum);
    }
    return ContingencyTable.of(exact.variables(), counts);
  }

  private static List<Variable> binary(String... names) {
    List<Variable> variables = new ArrayList<>();
    for (String name : names) {
      variables.add(new Variable(name, List.of("0", "1")));
    }
    return variables;
  }

  private static SplittableRandom seeded(long seed) {
    System.out.println("random models from seed " + seed);
    return new SplittableRandom(seed);
  }
}
