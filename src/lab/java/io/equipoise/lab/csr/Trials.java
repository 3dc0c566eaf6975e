package io.equipoise.lab.csr;

import io.equipoise.lab.csr.ErrorRates.Answer;
import io.equipoise.lab.csr.ErrorRates.Setting;
import io.equipoise.policy.bestarm.Algorithm;
import io.equipoise.policy.bestarm.Allocation;
import io.equipoise.policy.bestarm.BatchSearch;
import io.equipoise.policy.bestarm.BatchSearch.SampleSource;
import io.equipoise.policy.bestarm.Costs;
import io.equipoise.policy.bestarm.CsrModel;
import io.equipoise.policy.bestarm.Design;
import io.equipoise.policy.bestarm.FairnessEstimate;
import io.equipoise.policy.bestarm.Mode;
import io.equipoise.policy.bestarm.Phase;
import io.equipoise.policy.bestarm.PullType;
import io.equipoise.policy.bestarm.SearchStage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * Runs all trials of the four policies on one instance, in one mode, with one T. The policies share
 * allocations, which depend only on the stage and the remaining arms. A trial depends only on its
 * seed, T, mode and policy.
 *
 * <p>The only mutable field caches these allocations, so an entry is always valid.
 */
final class Trials {
  /** Error probability of certificates, which these trials ignore. */
  private static final double DELTA = .05;

  private final CsrInstance instance;
  private final int samples;
  private final Mode mode;
  private final FairnessEstimate fairness;
  private final Map<Left, Allocation> allocations = new HashMap<>();

  private record Left(SearchStage stage, BitSet arms) {}

  Trials(CsrInstance instance, int samples, Mode mode, FairnessEstimate fairness) {
    this.instance = instance;
    this.samples = samples;
    this.mode = mode;
    this.fairness = fairness;
  }

  /** Runs a number of trials of each search. */
  Map<Setting, List<Answer>> run(int trials, long firstSeed) {
    Map<Setting, List<Answer>> answers = new LinkedHashMap<>();
    for (Algorithm policy : Algorithm.values()) {
      Design design =
          new Design(
              instance.model(),
              new Design.Settings(policy, mode, fairness, samples, instance.bound(), DELTA),
              Costs.paper(instance.model().arms(), 0, samples));
      BatchSearch search =
          new BatchSearch(design, (phase, left) -> allocation(design, phase, left));
      List<Answer> ofPolicy = new ArrayList<>();
      for (int trial = 0; trial < trials; trial++) {
        SimulatedSource source = new SimulatedSource(instance, stream(firstSeed + trial, policy));
        ofPolicy.add(Answer.of(search.run(source).conclusion(), instance));
      }
      answers.put(new Setting(policy, instance.name(), samples, mode, fairness), ofPolicy);
    }
    return answers;
  }

  private SplittableRandom stream(long seed, Algorithm policy) {
    long stream = new SplittableRandom(seed * 31 + samples).nextLong();
    for (String part : List.of(mode.wire(), policy.wire(), fairness.wire())) {
      stream = new SplittableRandom(stream * 31 + part.hashCode()).nextLong();
    }
    return new SplittableRandom(stream);
  }

  private Allocation allocation(Design design, Phase phase, BitSet left) {
    return allocations.computeIfAbsent(
        new Left(phase.stage(), left), key -> BatchSearch.allocation(design, phase, left));
  }

  /**
   * Draws samples from an instance: S as the type of the pull requires, then z, v and a reward of 0
   * or 1.
   */
  private static final class SimulatedSource implements SampleSource {
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
}
