package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.policy.bestarm.Design.PhasePlan;
import java.util.List;
import org.junit.jupiter.api.Test;

class PhasePlanTest {
  @Test
  void thereAreAsManyPhasesAsTenRootTHasBinaryDigits() {
    assertEquals(9, PhasePlan.phases(2000));
    for (int samples : new int[] {4000, 6000, 8000, 10_000}) {
      assertEquals(10, PhasePlan.phases(samples));
    }
    for (int samples = 1; samples < 100_000; samples += 37) {
      double exact = Math.log(10 * Math.sqrt(samples)) / Math.log(2);
      assertEquals((int) Math.ceil(exact - 1e-12), PhasePlan.phases(samples), "T = " + samples);
    }
  }

  @Test
  void aPhaseGetsItsShareOfTheSamplesAndNoneIsLost() {
    List<Integer> pulls = PhasePlan.of(Algorithm.CSR_V2, 6000).stream().map(Phase::pulls).toList();
    assertEquals(List.of(2049, 1024, 683, 512, 409, 342, 292, 257, 227, 205), pulls);
    for (int samples : new int[] {1, 7, 100, 2000, 9999, 10_000}) {
      for (Algorithm algorithm : Algorithm.values()) {
        int sum = PhasePlan.of(algorithm, samples).stream().mapToInt(Phase::pulls).sum();
        assertEquals(samples, sum, algorithm + " with " + samples);
      }
    }
  }

  @Test
  void theStagesOfATwoStageSearchCountTheirPhasesAnew() {
    List<Phase> plan = PhasePlan.of(Algorithm.TS_V1, 2001);
    assertEquals(18, plan.size());
    assertEquals(SearchStage.FAIRNESS, plan.get(8).stage());
    assertEquals(9, plan.get(8).l());
    assertEquals(new Phase(9, SearchStage.REWARD, 1, plan.get(9).pulls()), plan.get(9));
    assertEquals(1000, plan.subList(0, 9).stream().mapToInt(Phase::pulls).sum());
  }

  @Test
  void bandsHalveWithEachPhase() {
    Phase fourth = new Phase(3, SearchStage.JOINT, 4, 1);
    assertEquals(3 / 16.0, fourth.effectBand());
    assertEquals(5 / 16.0, fourth.rewardBand());
  }
}
