package io.equipoise.policy.bestarm;

import io.equipoise.policy.bestarm.ExperimentSteps.PhaseEnd;
import io.equipoise.policy.bestarm.ExperimentSteps.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/** A random world whose threshold is just below some arm's effect, and one search in it. */
final class TrialWorld {
  final CsrModel model;
  final double bound;
  private final double[][] rewardMean;
  private final SplittableRandom random;

  /**
   * Draws worlds until some arm has an effect of at least {@code least}; the threshold is below it
   * by at most a share of it.
   */
  TrialWorld(SplittableRandom random, double least, double below) {
    this.random = random;
    CsrModel drawn;
    double[][] means;
    double effect;
    do {
      int cells = 2 + random.nextInt(3);
      int levels = 2 + random.nextInt(2);
      drawn = RandomModels.model(random, 3 + random.nextInt(3), cells, levels);
      means = new double[cells][levels];
      for (double[] row : means) {
        for (int v = 0; v < levels; v++) {
          row[v] = random.nextDouble();
        }
      }
      effect = Math.abs(effect(drawn, means, random.nextInt(drawn.arms())));
    } while (effect < least);
    model = drawn;
    rewardMean = means;
    bound = effect * (1 - below * random.nextDouble());
  }

  private static double effect(CsrModel model, double[][] rewardMean, int arm) {
    double effect = 0;
    for (int z = 0; z < model.cells(); z++) {
      for (int v = 0; v < model.levels(); v++) {
        effect +=
            (model.law(0, z) - model.law(1, z)) * model.probability(arm, z, v) * rewardMean[z][v];
      }
    }
    return effect;
  }

  /** Returns the true zeta^{s,s'}. */
  double effect(int arm) {
    return effect(model, rewardMean, arm);
  }

  boolean isFair(int arm) {
    return Math.abs(effect(arm)) <= bound;
  }

  boolean isAnyFair() {
    for (int arm = 0; arm < model.arms(); arm++) {
      if (isFair(arm)) {
        return true;
      }
    }
    return false;
  }

  /** Runs a search to its end and returns those of its phases; the last one brings the answer. */
  List<PhaseEnd> search(
      Algorithm algorithm, Mode mode, FairnessEstimate estimate, int samples, double delta) {
    Design design =
        new Design(
            model,
            new Design.Settings(algorithm, mode, estimate, samples, bound, delta),
            new Costs(new double[model.arms()], 1));
    RunSettings runSettings = new RunSettings("trial", 1, 1, 0, 1000, OptionalDouble.of(0), 1);
    ExperimentSteps steps = new ExperimentSteps(design, runSettings);
    SearchProgress searchProgress = steps.begin();
    SampleSums sums = steps.emptySums();
    List<PhaseEnd> ends = new ArrayList<>();
    while (!searchProgress.isOver) {
      if (steps.isDone(searchProgress)) {
        ends.add(steps.close(searchProgress, sums));
      } else {
        sample(steps, searchProgress, sums);
      }
    }
    return ends;
  }

  private void sample(ExperimentSteps steps, SearchProgress searchProgress, SampleSums sums) {
    int group = random.nextDouble() < model.share(0) ? 0 : 1;
    double[] law = new double[model.cells()];
    for (int z = 0; z < law.length; z++) {
      law[z] = model.law(group, z);
    }
    int cell = RandomModels.draw(random, law);
    int drawn = steps.draw(searchProgress, group, cell, random.nextDouble());
    if (drawn == Urn.NOT_SAMPLED) {
      return;
    }
    int arm = drawn % model.arms();
    double[] row = new double[model.levels()];
    for (int v = 0; v < row.length; v++) {
      row[v] = model.probability(arm, cell, v);
    }
    int level = RandomModels.draw(random, row);
    double reward = random.nextDouble() < rewardMean[cell][level] ? 1 : 0;
    Sample sample = new Sample(drawn / model.arms(), group, arm, cell, level, reward);
    steps.count(searchProgress, sums, searchProgress.open.phase().place(), sample);
  }
}
