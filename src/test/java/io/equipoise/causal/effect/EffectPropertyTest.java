package io.equipoise.causal.effect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.RandomModel;
import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.Evaluator;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds every formula to the truth in random models whose probabilities are known exactly. */
@Tag("slow")
class EffectPropertyTest {
  private static final double TEST_TOLERANCE = 1e-8;
  private static final int ROUNDS = Tier.count(150, 20_000);

  /** A random question: one outcome, one or two interventions, up to two in the context. */
  private record Question(String y, List<String> x, List<String> c) {
    static Question draw(CausalGraph graph, SplittableRandom random, int maxContext) {
      List<String> left = new ArrayList<>(graph.observed());
      String y = left.remove(random.nextInt(left.size()));
      List<String> x = new ArrayList<>();
      List<String> c = new ArrayList<>();
      int xs = 1 + random.nextInt(2);
      for (int i = 0; i < xs; i++) {
        x.add(left.remove(random.nextInt(left.size())));
      }
      int cs = random.nextInt(maxContext + 1);
      for (int i = 0; i < cs && !left.isEmpty(); i++) {
        c.add(left.remove(random.nextInt(left.size())));
      }
      return new Question(y, x, c);
    }
  }

  @Test
  void whatIsIdentifiedHasTheValueOfTheTruth() {
    int found = holds(20260201, false, 0, graph -> q -> effect(graph, q));
    assertTrue(found > ROUNDS / 4 && found < ROUNDS, "both verdicts occur: " + found);
  }

  /**
   * An oracle for refusals: all effects of one variable are identified iff no path of bidirected
   * edges joins it to a child (Tian and Pearl 2002, Theorem 3).
   */
  @Test
  void theEffectsOfOneVariableAreRefusedWhereItsDistrictHoldsAChild() {
    SplittableRandom random = new SplittableRandom(seed(20260208));
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      CausalGraph graph = RandomModel.graph(random, false);
      List<String> y = new ArrayList<>(graph.nodes());
      String x = y.remove(random.nextInt(y.size()));
      Set<String> district =
          graph.components().stream().filter(it -> it.contains(x)).findFirst().orElseThrow();
      boolean hasChild = graph.children(x).stream().anyMatch(district::contains);
      IdentifiedEffect identifiedEffect = Identification.of(graph).effect(y, List.of(x));
      assertEquals(!hasChild, identifiedEffect.isIdentified(), () -> graph + " do " + x);
      if (identifiedEffect instanceof IdentifiedEffect.NotIdentified not) {
        assertTrue(not.within().contains(x) && not.within().containsAll(not.factor()));
        refused++;
      }
    }
    assertTrue(refused > ROUNDS / 20, "refusals occur: " + refused);
  }

  @Test
  void conditionalEffectsThatAreIdentifiedHaveTheValueOfTheTruth() {
    int found = holds(20260202, false, 2, graph -> q -> effect(graph, q));
    assertTrue(found > ROUNDS / 4 && found < ROUNDS, "both verdicts occur: " + found);
  }

  @Test
  void whatIsRecoveredFromSelectedRowsHasTheValueOfTheTruth() {
    int found = holds(20260203, true, 0, graph -> q -> recovered(graph, q));
    assertTrue(found > ROUNDS / 20 && found < ROUNDS, "both verdicts occur: " + found);
  }

  @Test
  void conditionalEffectsRecoveredFromSelectedRowsHaveTheValueOfTheTruth() {
    int found = holds(20260204, true, 2, graph -> q -> recovered(graph, q));
    assertTrue(found > ROUNDS / 10 && found < ROUNDS, "both verdicts occur: " + found);
  }

  /** A set that is refused gives a wrong value, up to chance: so the criterion is complete. */
  @Test
  void adjustmentIsRightWhereAdmissibleAndWrongElsewhere() {
    SplittableRandom random = new SplittableRandom(seed(20260205));
    int admissible = 0;
    int refused = 0;
    int coincidences = 0;
    for (int round = 0; round < ROUNDS / 4; round++) {
      CausalGraph graph = RandomModel.graph(random, random.nextInt(4) > 0);
      RandomModel model = RandomModel.of(graph, random);
      Question q = Question.draw(graph, random, 0);
      Adjustment adjustment = Adjustment.of(graph, List.of(q.y), q.x);
      List<String> candidates = new ArrayList<>(graph.observed());
      candidates.remove(q.y);
      candidates.removeAll(q.x);
      Set<Set<String>> right = new HashSet<>();
      for (Set<String> z : subsets(candidates)) {
        for (Set<String> zt :
            graph.selection().isEmpty() ? Set.of(Set.<String>of()) : subsets(List.copyOf(z))) {
          ObservedValues observedValues = model.evidence().withUnselected(model.census(zt));
          boolean isRight = adjustment.isAdmissible(z, zt);
          Estimand formula = formula(graph, q, z, zt);
          double off = difference(model, q, formula, observedValues);
          String place = graph + " " + q + " z=" + z + " zt=" + zt + " " + formula;
          if (isRight) {
            assertEquals(0, off, TEST_TOLERANCE, place);
            assertEquals(
                0,
                difference(model, q, adjustment.estimand(new AdjustmentSet(z, zt)), observedValues),
                TEST_TOLERANCE,
                place);
            admissible++;
            if (zt.isEmpty()) {
              right.add(z);
            }
          } else {
            refused++;
            coincidences += off < TEST_TOLERANCE ? 1 : 0;
          }
        }
      }
      assertEquals(right, covariates(adjustment.sets().toList()), () -> graph + " " + q);
      Set<Set<String>> minimal =
          right.stream()
              .filter(z -> right.stream().noneMatch(o -> !o.equals(z) && z.containsAll(o)))
              .collect(Collectors.toSet());
      assertEquals(minimal, covariates(adjustment.minimalSets().toList()));
      Optional<AdjustmentSet> one = adjustment.minimal();
      assertEquals(!minimal.isEmpty(), one.isPresent());
      one.ifPresent(set -> assertTrue(minimal.contains(set.covariates())));
      Optional<AdjustmentSet> cheapest = adjustment.cheapest(name -> 1);
      assertEquals(
          minimal.stream().mapToInt(Set::size).min(),
          cheapest.stream().mapToInt(set -> set.covariates().size()).min());
      Set<AdjustmentSet> listed = new HashSet<>(adjustment.sets(candidates).toList());
      listed.forEach(set -> assertTrue(adjustment.isAdmissible(set.covariates(), set.external())));
    }
    System.out.println(admissible + " admissible, " + refused + " refused, " + coincidences);
    assertTrue(admissible > ROUNDS / 4 && refused > ROUNDS / 4, "both verdicts occur");
    assertTrue(coincidences <= 1 + refused / 10_000, "refused but right: " + coincidences);
  }

  @Test
  void theListWithExternalCovariatesIsThatOfBruteForce() {
    SplittableRandom random = new SplittableRandom(seed(20260206));
    for (int round = 0; round < ROUNDS / 3; round++) {
      CausalGraph graph = RandomModel.graph(random, true);
      Question q = Question.draw(graph, random, 0);
      Adjustment adjustment = Adjustment.of(graph, List.of(q.y), q.x);
      List<String> candidates = new ArrayList<>(graph.observed());
      candidates.remove(q.y);
      candidates.removeAll(q.x);
      List<String> measured = candidates.stream().filter(name -> random.nextInt(3) > 0).toList();
      Set<AdjustmentSet> expected = new HashSet<>();
      for (Set<String> z : subsets(candidates)) {
        for (Set<String> zt : subsets(z.stream().filter(measured::contains).toList())) {
          if (adjustment.isAdmissible(z, zt)) {
            expected.add(new AdjustmentSet(z, zt));
          }
        }
      }
      List<AdjustmentSet> listed = adjustment.sets(measured).toList();
      assertEquals(expected, new HashSet<>(listed), () -> graph + " " + q);
      assertEquals(expected.size(), listed.size());
    }
  }

  @Test
  void pooledFormulasKeepTheirValue() {
    SplittableRandom random = new SplittableRandom(seed(20260207));
    int pooled = 0;
    for (int round = 0; round < ROUNDS; round++) {
      CausalGraph graph = RandomModel.graph(random, random.nextBoolean());
      RandomModel model = RandomModel.of(graph, random);
      List<String> given = new ArrayList<>(graph.observed());
      String y = given.remove(random.nextInt(given.size()));
      Estimand full = Estimand.probability(List.of(y), given, graph.selection().isPresent());
      Estimand small = Pooling.of(graph).reduced(full);
      pooled += small.equals(full) ? 0 : 1;
      Map<String, Integer> at = new HashMap<>();
      graph.observed().forEach(name -> at.put(name, random.nextInt(2)));
      assertEquals(
          new Evaluator(full, model.evidence()).point(at),
          new Evaluator(small, model.evidence()).point(at),
          TEST_TOLERANCE,
          () -> graph + " " + full + " -> " + small);
    }
    assertTrue(pooled > ROUNDS / 3, "some are pooled: " + pooled);
  }

  private static IdentifiedEffect effect(CausalGraph graph, Question q) {
    return Identification.of(graph).effect(List.of(q.y), q.x, q.c);
  }

  private static IdentifiedEffect recovered(CausalGraph graph, Question q) {
    return SelectionRecovery.of(graph).effect(List.of(q.y), q.x, q.c);
  }

  private static int holds(
      long seed,
      boolean hasSelection,
      int maxContext,
      Function<CausalGraph, Function<Question, IdentifiedEffect>> method) {
    SplittableRandom random = new SplittableRandom(seed(seed));
    int found = 0;
    for (int round = 0; round < ROUNDS; round++) {
      CausalGraph graph = RandomModel.graph(random, hasSelection);
      RandomModel model = RandomModel.of(graph, random);
      Question q = Question.draw(graph, random, maxContext);
      IdentifiedEffect identifiedEffect = method.apply(graph).apply(q);
      if (identifiedEffect.isIdentified()) {
        Estimand formula = identifiedEffect.estimand().orElseThrow();
        assertEquals(
            0,
            difference(model, q, formula, model.evidence()),
            TEST_TOLERANCE,
            () -> graph + " " + q + " " + formula);
        found++;
      }
    }
    System.out.println(found + " of " + ROUNDS + " found");
    return found;
  }

  /** Returns the greatest error over all values of the question's variables. */
  private static double difference(
      RandomModel model, Question q, Estimand formula, ObservedValues observedValues) {
    Evaluator evaluator = new Evaluator(formula, observedValues);
    int bits = q.x.size() + q.c.size();
    double greatest = 0;
    for (int world = 0; world < 1 << bits; world++) {
      Map<String, Integer> held = new HashMap<>();
      Map<String, Integer> context = new HashMap<>();
      for (int i = 0; i < q.x.size(); i++) {
        held.put(q.x.get(i), world >> i & 1);
      }
      for (int i = 0; i < q.c.size(); i++) {
        context.put(q.c.get(i), world >> (q.x.size() + i) & 1);
      }
      Map<String, Integer> at = new HashMap<>(held);
      at.putAll(context);
      at.put(q.y, 1);
      double truth = model.truth(Map.of(q.y, 1), held, context);
      greatest = Math.max(greatest, Math.abs(truth - evaluator.point(at)));
    }
    return greatest;
  }

  /** The formula of section "adjustment", whether or not it is right. */
  private static Estimand formula(CausalGraph graph, Question q, Set<String> z, Set<String> zt) {
    boolean isSelected = graph.selection().isPresent();
    List<String> given = new ArrayList<>(q.x);
    given.addAll(z);
    List<String> rest = z.stream().filter(name -> !zt.contains(name)).toList();
    Estimand y = Estimand.probability(List.of(q.y), given, isSelected);
    Estimand inner = Estimand.probability(rest, zt, isSelected);
    return Estimand.product(List.of(y, inner, Estimand.probability(zt, List.of(), false)))
        .summed(z);
  }

  private static Set<Set<String>> covariates(List<AdjustmentSet> sets) {
    Set<Set<String>> covariates =
        sets.stream().map(AdjustmentSet::covariates).collect(Collectors.toSet());
    assertEquals(sets.size(), covariates.size(), "listed twice");
    return covariates;
  }

  private static List<Set<String>> subsets(List<String> names) {
    List<Set<String>> subsets = new ArrayList<>();
    for (int mask = 0; mask < 1 << names.size(); mask++) {
      Set<String> subset = new HashSet<>();
      for (int i = 0; i < names.size(); i++) {
        if ((mask >> i & 1) == 1) {
          subset.add(names.get(i));
        }
      }
      subsets.add(subset);
    }
    return subsets;
  }

  private static long seed(long seed) {
    System.out.println("random models from seed " + seed);
    assertNotEquals(0, seed);
    return seed;
  }
}
