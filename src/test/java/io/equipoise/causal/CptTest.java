package io.equipoise.causal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CptTest {
  private static final Variable SEX = new Variable("sex", List.of("f", "m"));
  private static final Variable AGE = new Variable("age", List.of("young", "mid", "old"));
  private static final Variable BUYS = new Variable("buys", List.of("no", "yes"));

  @Test
  void parentsRunSlowestAndTheChildFastest() {
    double[] table = {.1, .9, .2, .8, .3, .7, .4, .6, .5, .5, .6, .4};
    Cpt cpt = new Cpt(BUYS, List.of(SEX, AGE), table);
    table[5] = 0;
    assertEquals(.7, cpt.probability(new int[] {0, 2}, 1));
    assertEquals(.4, cpt.probability(new int[] {1, 0}, 0));
    assertEquals("P(buys | sex, age)", cpt.title());
  }

  @Test
  void aRowThatIsNoDistributionIsNamed() {
    double[] table = {.1, .9, .2, .8, .3, .7, .4, .6, .5, .5 + 1e-8, .6, .4};
    assertFault(
        "P(buys | sex, age), row sex=m, age=mid, sums to 1.00000001, not to 1",
        () -> new Cpt(BUYS, List.of(SEX, AGE), table));
    assertFault(
        "P(buys) has P(buys=no) = NaN",
        () -> new Cpt(BUYS, List.of(), new double[] {Double.NaN, 1}));
    assertFault(
        "P(buys | sex), row sex=m, has P(buys=yes) = -0.5",
        () -> new Cpt(BUYS, List.of(SEX), new double[] {.5, .5, 1.5 - .5, -.5}));
    assertFault(
        "P(buys) has P(buys=no) = Infinity",
        () -> new Cpt(BUYS, List.of(), new double[] {Double.POSITIVE_INFINITY, 0}));
  }

  @Test
  void aRowMayMissOneByRounding() {
    new Cpt(AGE, List.of(), new double[] {.3333333333, .3333333333, .3333333333});
  }

  @Test
  void sizesAndLevelsAreChecked() {
    assertFault(
        "P(buys | sex) needs 4 probabilities, got 2",
        () -> new Cpt(BUYS, List.of(SEX), new double[] {1, 0}));
    assertFault(
        "P(buys | sex, sex) names \"sex\" twice",
        () -> new Cpt(BUYS, List.of(SEX, SEX), new double[8]));
    Cpt cpt = new Cpt(BUYS, List.of(), new double[] {1, 0});
    assertFault("P(buys): \"buys\" has no level number 2", () -> cpt.probability(new int[] {}, 2));
    assertFault("P(buys) takes 0 parent levels, got 1", () -> cpt.probability(new int[] {0}, 0));
  }

  @Test
  void aVariableHasDistinctLevels() {
    assertEquals(1, AGE.indexOf("mid"));
    assertFault(
        "variable \"age\" has no level \"Old\", only [young, mid, old]", () -> AGE.indexOf("Old"));
    assertFault("variable \"v\" has no levels", () -> new Variable("v", List.of()));
    assertFault(
        "variable \"v\" has a level twice: [a, a]", () -> new Variable("v", List.of("a", "a")));
  }

  static void assertFault(String message, Executable action) {
    assertEquals(message, assertThrows(DistributionException.class, action).getMessage());
  }
}
