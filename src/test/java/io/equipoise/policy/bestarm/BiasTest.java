package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.bestarm.Divergences.DivergenceTables;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What clips can cost in expectation, by enumeration of all cells, for rewards of 1. */
class BiasTest {
  static Stream<String> instances() {
    return InstanceTablesTest.all();
  }

  @ParameterizedTest
  @MethodSource("instances")
  void clippingBiasesAnEstimateByAtMostHalfOfEpsilon(String name) {
    CsrModel model = Fixtures.model(name);
    DivergenceTables divergenceTables = DivergenceTables.of(model, FairnessEstimate.COUNTERFACTUAL);
    Estimator estimator =
        new Estimator(model, Mode.NATURAL, FairnessEstimate.COUNTERFACTUAL, divergenceTables);
    for (int l = 1; l <= 10; l++) {
      double allowed = Math.scalb(1.0, -l) + 1e-12;
      for (int k = 0; k < model.arms(); k++) {
        for (int j = 0; j < model.arms(); j++) {
          double reward = clipped(estimator.reward(), k, j, l, model.share(0), model.share(1));
          assertTrue(reward <= allowed, "reward " + k + " from " + j + " at " + l);
          assertTrue(Math.abs(clipped(estimator.ofPrime(), k, j, l, 0, 1)) <= allowed);
          assertTrue(Math.abs(clipped(estimator.ofS(), k, j, l, 1, 0)) <= allowed);
        }
      }
    }
  }

  private static double clipped(Channel channel, int k, int j, int l, double ofS, double ofPrime) {
    CsrModel model = channel.model;
    double lost = 0;
    for (int z = 0; z < model.cells(); z++) {
      double cell = ofS * model.law(0, z) + ofPrime * model.law(1, z);
      for (int v = 0; v < model.levels(); v++) {
        double weight = channel.weight(k, j, z, v);
        if (Math.abs(weight) > channel.clip(k, j, l)) {
          lost += cell * model.probability(j, z, v) * Math.abs(weight);
        }
      }
    }
    return lost;
  }
}
