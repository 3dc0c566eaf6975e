package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecParser;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a spec of a search becomes, and every way in which it can be wrong. */
class CsrCompilationTest {
  private static final String SOUND =
      TestSpecs.experiment(
          "csr-v2, samples: 100, control: \"A=left\"",
          1,
          "{reward-window: 60s, fallback: \"A=left\"}",
          "{range: [0, 1]}",
          "reject");

  private static Design design(String text) {
    return CsrPolicy.compile(SpecParser.parse(text)).design();
  }

  @Test
  void aSoundSpecBecomesTheModelOfItsTables() {
    Design design = design(SOUND);
    CsrModel model = design.model();
    assertEquals(2, model.arms());
    assertEquals(2, model.cells());
    assertEquals(0.4, model.law(CsrModel.S, 1), 1e-15);
    assertEquals(0.5, model.law(CsrModel.S_PRIME, 1), 1e-15);
    assertEquals(0.6 / 0.5 - 1, model.forward[0], 1e-15);
    assertEquals(0.7, model.probability(0, 1, 0));
    assertEquals(0.8, model.probability(1, 0, 1));
    assertEquals(Algorithm.CSR_V2, design.settings().algorithm());
    assertEquals(Mode.NATURAL, design.settings().mode());
    assertEquals(0.2, design.settings().bound());
    assertEquals(0.1, design.costs().budget(), 1e-15);
    assertEquals(0, design.costs().of(0));
    assertEquals(1, design.costs().of(1));
  }

  @Test
  void tablesMayComeFromANetworkWithItsOwnOrderOfLevels() {
    String bif =
        """
        network n {}
        variable S { type discrete [2] { b, a }; }
        variable X { type discrete [2] { high, low }; }
        variable A { type discrete [2] { right, left }; }
        variable M { type discrete [2] { 1, 0 }; }
        probability ( S ) { table 0.5, 0.5; }
        probability ( X | S ) { (a) 0.4, 0.6; (b) 0.5, 0.5; }
        probability ( M | X, A ) {
          (low, left) 0.1, 0.9; (high, left) 0.3, 0.7;
          (low, right) 0.8, 0.2; (high, right) 0.7, 0.3;
        }
        """
            .indent(4);
    int from = SOUND.indexOf("  cpts:");
    String text =
        SOUND.substring(0, from) + "  bif: |\n" + bif + SOUND.substring(SOUND.indexOf("reward:"));
    CsrModel one = design(SOUND).model();
    CsrModel other = design(text).model();
    for (int z = 0; z < 2; z++) {
      assertEquals(one.law(0, z), other.law(0, z), 1e-15);
      assertEquals(one.forward[z], other.forward[z], 1e-15);
      for (int v = 0; v < 2; v++) {
        assertEquals(one.probability(1, z, v), other.probability(1, z, v), 1e-15);
      }
    }
  }

  /** What is replaced, by what, and a piece of the fault: place, value and remedy. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "samples: 100 | samples: 1 | fairness.tau: 0.18 with policy.samples 1 given; no arm can be"
            + " certified: T = 1 has n = 4 phases, and 3/2^n = 0.1875 | tau: 0.2 | tau: 0.18",
        "samples: 100, | `` | policy.samples, line 25: nothing given; required: a whole number from"
            + " 1 to 1000000000. T, the number of samples. | |",
        "samples: 100 | samples: none | policy.samples, line 25: \"none\" given; a whole number |"
            + " |",
        "A=left\" | A=up\" | policy.control, line 25: \"A=up\" given; one of A=left, A=right | |",
        "samples: 100 | samples: 9, costs: {A=up: 1} | policy.costs.A=up, line 25: the key | |",
        "samples: 100 | samples: 9, budget: -1 | policy.budget, line 25: a budget of -1.0 a pull"
            + " given | |",
        "samples: 100 | samples: 9, min-closed-fraction: 0 | policy.min-closed-fraction, line 25:"
            + " \"0\" given; a number above 0, at most 1 | |",
        "samples: 100 | samples: 9, min-closed-fraction: 0.9 | policy.min-closed-fraction: 0.9 with"
            + " join.learn on-arrival given; join.learn: on-window-close | |",
        "csr-v2, samples: 100 | csr-v1, samples: 9, min-closed-fraction: 0.9 |"
            + " policy.min-closed-fraction: 0.9 for csr-v1 given; 1: it forgets | |",
        "samples: 100 | samples: 9, mode: forced | policy.mode, line 25: \"forced\" given | |",
        "samples: 100 | samples: 9, ties: seeded | policy.ties, line 25: the key \"ties\" given |"
            + " |",
        "low, 0.9, 0.1] | low, 0.9, 0.2] | M.rows[0], line 20: a sum of 1.1 given; | |",
        "[left, low, | [left, mid, | M.rows[0][1], line 20: \"mid\" given; X has one of low | |",
        "[0, 1]} | [0, 2]} | policy, line 25: csr-v2 with rewards from 0 to 2 given; reward.range"
            + " [0, 1] | |",
        "[0, 1]} | [0, 1], bounded: false, scale: 1} | with unbounded rewards from 0 to 1 | |",
        "reward-window: 60s | reward-window: 60s, aggregate: sum | join.aggregate: sum given; first"
            + " | |",
        "[0, 1]} | [0, 1], default: {value: 0.5}} | reward.default: the value 0.5 without a level"
            + " of M given; value 0 | |",
        "S -> X; | S -> X; S -> M; | M given [A, X] | |",
        "{A X} -> M | {A X} -> M; S -> R | graph: the path S -> R given; a context variable | |",
        "{A X} -> M | {A X} -> M; A -> R | graph: actions with the children [M, R] given; one child"
            + " | |",
        "{A X} -> M | {A X} -> M; M <-> R | graph: a hidden common cause of M and [R] given; | |",
        "{A X} -> M | {A X} -> M; X <-> R | graph: a hidden common cause of X and [R] given; | |",
        "{A X} -> M | {A X} -> M; S <-> R | graph: a cause of S given; no parent and no hidden"
            + " cause | |",
        "X: {role: context | X: {role: sensitive | variables: 2 sensitive variables given; one | |",
        "S: {given: [], rows: [[0.5, 0.5]]} | `` | distributions: the distribution of \"S\" is not"
            + " known | |",
        "M: {role: mediator | M: {role: context | graph, line 11: a path from an action to M given;"
            + " | |",
        "[[a, 0.6, 0.4] | [[a, 1.0, 0.0] | must be positive for both levels of | |",
      })
  void everyFaultNamesItsPlaceTheValueAndTheRemedy(
      String piece, String other, String fault, String piece2, String other2) {
    assertTrue(SOUND.contains(piece), piece);
    String text = SOUND.replace(piece, other == null ? "" : other);
    if (piece2 != null) {
      text = text.replace(piece2, other2);
    }
    String spoilt = text;
    SpecException thrown = assertThrows(SpecException.class, () -> design(spoilt), spoilt);
    List<String> faults = thrown.faults().stream().map(SpecFault::toString).toList();
    assertTrue(faults.stream().anyMatch(one -> one.contains(fault)), fault + " not in " + faults);
  }

  @Test
  void threeGroupsAreTooMany() {
    String text =
        SOUND
            .replace("levels: [a, b]", "levels: [a, b, c]")
            .replace("[[0.5, 0.5]]", "[[0.5, 0.3, 0.2]]")
            .replace("[b, 0.5, 0.5]", "[b, 0.5, 0.5], [c, 0.5, 0.5]");
    String fault = assertThrows(SpecException.class, () -> design(text)).faults().toString();
    assertTrue(fault.contains("variables.S.levels: 3 levels given; two: a search"), fault);
  }

  @Test
  void whatSetsNoArmAndLiesOnNoPathNeedsNoTable() {
    String text =
        SOUND
            .replace("  R: {role", "  Z: {role: context, levels: [p, q]}\n  R: {role")
            .replace("{M X} -> R", "{M X Z U} -> R; S -> Y; {A X} -> Y; U [latent]")
            .replace("  R: {role", "  Y: {role: mediator, levels: [n, m]}\n  R: {role")
            .replace("; {A X} -> Y", "");
    assertEquals(2, design(text).model().cells());
  }

  @ParameterizedTest
  @ValueSource(strings = {"csr-v1", "csr-v2", "ts-v1", "ts-v2"})
  void intersectionsOfSensitiveAttributesAreRefusedWithTheReason(String policy) {
    String two =
        SOUND
            .replace("policy: {name: csr-v2", "policy: {name: " + policy)
            .replace("X: {role: context", "X: {role: sensitive");
    String asked = two.replace("tau: 0.2", "tau: 0.2, intersections: true");
    SpecException refused = assertThrows(SpecException.class, () -> SpecParser.parse(asked));
    List<String> faults = refused.faults().stream().map(SpecFault::toString).toList();
    assertTrue(
        faults.stream()
            .anyMatch(
                fault ->
                    fault.startsWith("fairness.intersections, line ")
                        && fault.contains("false: an experiment compares the values of one")),
        faults.toString());
    SpecParser.parse(two.replace("tau: 0.2", "tau: 0.2, intersections: false"));
  }
}
