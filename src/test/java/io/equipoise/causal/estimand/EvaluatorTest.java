package io.equipoise.causal.estimand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvaluatorTest {
  private static final double TEST_TOLERANCE = 1e-12;
  private static final Variable A = new Variable("a", List.of("x", "y", "z"));
  private static final Variable B = new Variable("b", List.of("0", "1"));

  /** Rows by a, then b: 1 3, 2 2, 0 0. */
  private static final ContingencyTable TABLE =
      ContingencyTable.dense(List.of(A, B), new double[] {1, 3, 2, 2, 0, 0});

  @Test
  void probabilitiesAreSharesOfRows() {
    Evaluator joint =
        new Evaluator(EstimandParser.parse("P(a,b)"), ObservedValues.unselected(TABLE));
    assertEquals(3.0 / 8, joint.point(Map.of("a", 0, "b", 1)), TEST_TOLERANCE);
    Evaluator conditional =
        new Evaluator(EstimandParser.parse("P(b|a)"), ObservedValues.unselected(TABLE));
    Estimate estimate = conditional.at(Map.of("a", 0, "b", 1)).estimate();
    assertEquals(0.75, estimate.low(), TEST_TOLERANCE);
    assertEquals(4, estimate.support());
  }

  @Test
  void aConditionWithoutRowsHasNoValueAndNothingThatUsesItHas() {
    Evaluator conditional =
        new Evaluator(EstimandParser.parse("P(b|a)"), ObservedValues.unselected(TABLE));
    assertTrue(Double.isNaN(conditional.point(Map.of("a", 2, "b", 1))));
    Evaluator sum =
        new Evaluator(
            new Sum(Estimand.sorted(List.of("a")), EstimandParser.parse("P(b|a) P(a)")),
            ObservedValues.unselected(TABLE));
    assertFalse(sum.at(Map.of("b", 1)).estimate().isSupported());
    Evaluator ratio =
        new Evaluator(EstimandParser.parse("[P(b)]/[P(a)]"), ObservedValues.unselected(TABLE));
    assertFalse(ratio.at(Map.of("a", 2, "b", 1)).estimate().isSupported());
  }

  @Test
  void aVariableNotAskedForIsAveragedOutOverItsRows() {
    Evaluator conditional =
        new Evaluator(EstimandParser.parse("P(b|a)"), ObservedValues.unselected(TABLE));
    Evaluator.Value value = conditional.at(Map.of("b", 1));
    assertEquals(0.5 * 0.75 + 0.5 * 0.5, value.estimate().low(), TEST_TOLERANCE);
    assertEquals(0.25, value.spread(), TEST_TOLERANCE);
  }

  @Test
  void selectedAndUnselectedRowsAreToldApart() {
    ContingencyTable census = ContingencyTable.dense(List.of(B), new double[] {9, 1});
    ObservedValues observedValues = ObservedValues.selected(TABLE).withUnselected(census);
    Map<String, Integer> at = Map.of("b", 1);
    assertEquals(0.1, new Evaluator(EstimandParser.parse("P(b)"), observedValues).point(at));
    assertEquals(0.625, new Evaluator(EstimandParser.parse("P(b|S=1)"), observedValues).point(at));
    DistributionException fault =
        assertThrows(
            DistributionException.class,
            () -> new Evaluator(EstimandParser.parse("P(a)"), observedValues));
    assertEquals("no table of unselected rows has all of [a]", fault.getMessage());
    assertThrows(
        DistributionException.class,
        () ->
            observedValues.withUnselected(
                ContingencyTable.dense(
                    List.of(new Variable("b", List.of("1", "0"))), new double[] {1, 1})));
  }

  @Test
  void intervalsFollowThroughSumsProductsAndQuotients() {
    CellRule wide =
        cell -> {
          double share = cell.hits() / cell.rows();
          return new Estimate(share * 0.5, Math.min(1, share * 1.5), cell.rows());
        };
    Estimand formula = EstimandParser.parse("[Σ_a P(b|a) P(a)]/[P(b)]");
    ContingencyTable full = ContingencyTable.dense(List.of(A, B), new double[] {1, 3, 2, 2, 4, 4});
    Estimate estimate =
        new Evaluator(formula, ObservedValues.unselected(full), wide).at(Map.of("b", 0)).estimate();
    double pb = 7.0 / 16;
    assertEquals(0.25 * pb / (1.5 * pb), estimate.low(), TEST_TOLERANCE);
    double high = 0.25 * 1.5 * 0.25 * 1.5 + 0.5 * 1.5 * 0.25 * 1.5 + 0.5 * 1.5 * 0.5 * 1.5;
    assertEquals(high / (0.5 * pb), estimate.high(), TEST_TOLERANCE);
    assertEquals(4, estimate.support());
  }

  @Test
  void tablesKeepOnlyCellsWithRows() {
    assertEquals(1, TABLE.weight(TABLE.code(new int[] {0, 0})));
    assertEquals(List.of(0L, 1L, 2L, 3L), longs(TABLE.codes()));
    assertEquals(List.of(1L, 0L), List.of((long) TABLE.levels(2)[0], (long) TABLE.levels(2)[1]));
    ContingencyTable b = TABLE.marginal(List.of("b"));
    assertEquals(5, b.weight(1));
    assertTrue(TABLE.isCounts());
    assertEquals(
        "cell 6 of 6 has the weight 1.0",
        assertThrows(
                DistributionException.class,
                () -> ContingencyTable.of(List.of(A, B), Map.of(6L, 1)))
            .getMessage());
  }

  private static List<Long> longs(long[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }
}
