package io.equipoise.lab.csr;

import io.equipoise.policy.bestarm.CsrModel;
import io.equipoise.policy.bestarm.Phase;
import io.equipoise.policy.bestarm.PullType;
import io.equipoise.policy.bestarm.SampleSource;
import java.util.SplittableRandom;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * Draws samples from an instance: S as the type of the pull requires, then z, v and a reward of 0
 * or 1.
 */
final class SimulatedSource implements SampleSource {
  private final CsrInstance instance;
  private final CsrModel model;
  private final double[][] cumulative;
  private final SplittableRandom random;

  SimulatedSource(CsrInstance instance, SplittableRandom random) {
    this.instance = instance;
    this.random = random;
    model = instance.model();
    cumulative = new double[2][model.cells()];
    for (int group = 0; group < 2; group++) {
      double sum = 0;
      for (int z = 0; z < model.cells(); z++) {
        sum += model.law(group, z);
        cumulative[group][z] = sum;
      }
    }
  }

  @Override
  public void pull(Phase phase, int[][] quota, Sink into) {
    for (int type = 0; type < quota.length; type++) {
      for (int arm = 0; arm < quota[type].length; arm++) {
        for (int i = 0; i < quota[type][arm]; i++) {
          pull(type, arm, into);
        }
      }
    }
  }

  private void pull(int type, int arm, Sink into) {
    int group = group(type);
    int z = cell(cumulative[group]);
    int v = level(arm, z);
    double reward = random.nextDouble() < instance.rewardMean()[group][z][v] ? 1 : 0;
    into.add(type, group, arm, z, v, reward);
  }

  private int group(int type) {
    if (type == PullType.NATURAL.number()) {
      return random.nextDouble() < model.share(CsrModel.S) ? CsrModel.S : CsrModel.S_PRIME;
    }
    return type == PullType.OF_S.number() ? CsrModel.S : CsrModel.S_PRIME;
  }

  private int cell(double[] sums) {
    double at = random.nextDouble() * sums[sums.length - 1];
    int z = 0;
    while (sums[z] <= at) {
      z++;
    }
    return z;
  }

  private int level(int arm, int z) {
    double rest = random.nextDouble();
    int last = model.levels() - 1;
    for (int v = 0; v < last; v++) {
      rest -= model.probability(arm, z, v);
      if (rest < 0) {
        return v;
      }
    }
    return last;
  }
}
