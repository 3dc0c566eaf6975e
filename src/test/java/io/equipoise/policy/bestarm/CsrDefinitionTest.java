package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.BifFormat;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CsrDefinitionTest {
  /** group -> job <- age, group -> hobby; age -> offer; job, offer -> taken. */
  private static final KnownDistributions SHOP =
      BifFormat.read(
          """
          network shop { }
          variable group { type discrete [ 2 ] { a, b }; }
          variable age { type discrete [ 2 ] { young, old }; }
          variable job { type discrete [ 2 ] { yes, no }; }
          variable hobby { type discrete [ 2 ] { yes, no }; }
          variable offer { type discrete [ 2 ] { small, large }; }
          variable taken { type discrete [ 2 ] { yes, no }; }
          probability ( group ) { table 0.25, 0.75; }
          probability ( age ) { table 0.4, 0.6; }
          probability ( job | age, group ) {
            (young, a) 0.2, 0.8;
            (young, b) 0.5, 0.5;
            (old, a) 0.6, 0.4;
            (old, b) 0.9, 0.1;
          }
          probability ( hobby | group ) { (a) 0.1, 0.9; (b) 1.0, 0.0; }
          probability ( offer | age ) { (young) 0.5, 0.5; (old) 0.5, 0.5; }
          probability ( taken | job, offer ) {
            (yes, small) 0.7, 0.3;
            (yes, large) 0.5, 0.5;
            (no, small) 0.3, 0.7;
            (no, large) 0.1, 0.9;
          }
          """);

  private static Cpt arm(double ofYoung, double ofOld) {
    return new Cpt(
        SHOP.variable("offer"),
        List.of(SHOP.variable("age")),
        new double[] {ofYoung, 1 - ofYoung, ofOld, 1 - ofOld});
  }

  private static CsrDefinition definition(List<Cpt> arms) {
    return new CsrDefinition(SHOP, "group", List.of("b", "a"), "offer", "taken", arms);
  }

  private static void assertRefused(String why, Executable made) {
    String message = assertThrows(IllegalArgumentException.class, made).getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void cellsAreTheOtherParentsOfTheSensitiveVariablesChildrenAndThese() {
    CsrDefinition definition = definition(List.of(arm(.5, .5), arm(1, 0)));
    assertEquals(
        List.of("age", "job"),
        definition.cellVariables().stream().map(Variable::name).toList(),
        "hobby does not lead to the reward");
    CsrModel model = definition.compile();
    assertEquals(.75, model.share(CsrModel.S), 1e-15, "s is b");
    double[] law = new double[4];
    double[] factor = new double[4];
    for (int z = 0; z < 4; z++) {
      law[z] = model.law(CsrModel.S, z);
      factor[z] = model.forward[z];
    }
    assertArrayEquals(new double[] {.4 * .5, .4 * .5, .6 * .9, .6 * .1}, law, 1e-15);
    assertArrayEquals(
        new double[] {.5 / .2 - 1, .5 / .8 - 1, .9 / .6 - 1, .1 / .4 - 1}, factor, 1e-15);
    assertEquals(1, model.probability(1, 0, 0));
    assertEquals(0, model.probability(1, 3, 0));
    assertEquals(2, model.odds(1, 0, 0, 0));
    assertEquals(0, model.odds(1, 0, 0, 1));
    assertEquals(Double.POSITIVE_INFINITY, model.odds(0, 1, 0, 1), "arm 1 never does that");
  }

  @Test
  void anArmThatNeverYieldsALevelSaysNothingOfThoseThatDo() {
    CsrModel model = definition(List.of(arm(.5, .5), arm(1, 0))).compile();
    double[][] divergence = new Divergences(model).reward();
    assertEquals(Double.POSITIVE_INFINITY, divergence[0][1]);
    assertEquals(1, divergence[1][1], 1e-15);
    assertTrue(divergence[1][0] > 1 && divergence[1][0] < 3);
  }

  @Test
  void tablesThatDoNotFitAreRefusedByName() {
    Variable age = new Variable("age", List.of("young", "middle"));
    Cpt stranger = new Cpt(SHOP.variable("offer"), List.of(age), new double[] {.5, .5, .5, .5});
    assertRefused(
        "parent levels [young, middle], the model has [young, old]",
        () -> definition(List.of(stranger)).compile());
    assertRefused("there is no arm", () -> definition(List.of()).compile());
    Cpt looks =
        new Cpt(
            SHOP.variable("offer"), List.of(SHOP.variable("group")), new double[] {.5, .5, 1, 0});
    assertRefused("may not look at", () -> definition(List.of(looks)).compile());
  }

  @Test
  void aRowThatDoesNotSumToOneIsRefusedByItsPlace() {
    assertRefused(
        "P(offer | age), row age=old, sums to 0.9",
        () ->
            new Cpt(
                SHOP.variable("offer"),
                List.of(SHOP.variable("age")),
                new double[] {.5, .5, .5, .4}));
    assertRefused(
        "arm 0, cell 1, sums to 0.9",
        () ->
            new CsrModel(
                new double[] {.5, .5},
                new double[][] {{.5, .5}, {.5, .5}},
                new double[] {1, 1},
                new double[][][] {{{.5, .5}, {.5, .4}}}));
  }

  @Test
  void aGraphThatDoesNotAllowTheSearchIsRefused() {
    List<Cpt> arms = List.of(arm(.5, .5));
    assertRefused(
        "must have no parents",
        () ->
            new CsrDefinition(SHOP, "job", List.of("yes", "no"), "offer", "taken", arms).compile());
    assertRefused(
        "both must be named",
        () ->
            new CsrDefinition(SHOP, "group", List.of("a", "a"), "offer", "taken", arms).compile());
    assertRefused(
        "must be positive for both levels",
        () ->
            new CsrDefinition(SHOP, "group", List.of("a", "b"), "offer", "hobby", arms).compile());
    assertRefused(
        "descends from \"age\"",
        () ->
            new CsrDefinition(
                    SHOP,
                    "group",
                    List.of("a", "b"),
                    "age",
                    "taken",
                    List.of(Cells.uniform(SHOP.variable("age"), List.of())))
                .compile());
  }
}
