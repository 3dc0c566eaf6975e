package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.causal.KnownDistributions;
import io.equipoise.policy.logistic.LogisticSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShippedSpecsTest {
  private static final List<SegmentSpec> SPECS = SpecFiles.load(Path.of("flink-conf", "specs"));
  private static final SegmentSpec F_UCB = SPECS.get(2);

  @Test
  void eachPolicyHasASegmentOfItsName() {
    List<String> names =
        List.of("email-c-ucb", "email-d-ucb", "email-f-ucb", "email-screen", "email-ucb");
    assertEquals(names, SPECS.stream().map(SegmentSpec::name).toList());
    for (SegmentSpec spec : SPECS) {
      assertEquals(new SegmentMatch.Exact(List.of(spec.name())), spec.match());
      assertEquals("email-" + spec.policy().name().wire(), spec.name());
    }
  }

  @Test
  void theyDifferInNothingButTheirPolicyAndWhatItTakesForAReward() {
    for (SegmentSpec spec : SPECS) {
      assertEquals(F_UCB.variables(), spec.variables());
      assertEquals(F_UCB.graph(), spec.graph());
      assertEquals(F_UCB.arms(), spec.arms());
      if (!(spec.policy().family() instanceof LogisticSpec)) {
        assertEquals(F_UCB.reward(), spec.reward());
        assertEquals(F_UCB.fairness(), spec.fairness());
      }
      assertEquals(F_UCB.fairness().tau(), spec.fairness().tau());
      assertEquals(F_UCB.fairness().delta(), spec.fairness().delta());
      assertEquals(F_UCB.join(), spec.join());
    }
  }

  @Test
  void armsAreNumberedWithTheFirstActionSlowest() {
    assertEquals(36, F_UCB.arms().size());
    for (int a1 = 0; a1 < 3; a1++) {
      for (int a2 = 0; a2 < 4; a2++) {
        for (int a3 = 1; a3 <= 3; a3++) {
          int[] levels = F_UCB.arms().get((a1 * 4 + a2) * 3 + (a3 - 1)).levels();
          assertArrayEquals(new int[] {a1, a2, a3 - 1}, levels);
        }
      }
    }
  }

  @Test
  void everyTableFollowsTheGraph() {
    KnownDistributions known = F_UCB.distributions();
    for (String node : List.of("X1", "X2", "X3", "I1", "I2", "I3", "I4")) {
      List<String> parents = new ArrayList<>();
      known.cpt(node).orElseThrow().parents().forEach(it -> parents.add(it.name()));
      assertEquals(List.copyOf(F_UCB.graph().parents(node)).size(), parents.size(), node);
    }
    assertEquals(0.5, known.cpt("X1").orElseThrow().probability(new int[0], 0));
  }

  @Test
  void aSafeArmsMediatorsDoNotDependOnGender() {
    KnownDistributions known = F_UCB.distributions();
    for (int purpose = 1; purpose <= 2; purpose++) {
      for (int age = 0; age < 3; age++) {
        for (int occupation = 0; occupation < 3; occupation++) {
          double[][] z = new double[2][];
          for (int gender = 0; gender < 2; gender++) {
            Map<String, Integer> held =
                Map.of("X1", gender, "X2", age, "X3", occupation, "A1", 1, "A2", purpose, "A3", 0);
            z[gender] = known.conditional(List.of("I1", "I2"), held);
          }
          assertArrayEquals(z[0], z[1], 1e-12);
        }
      }
    }
  }
}
