package io.equipoise.lab;

import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.policy.tabular.ConfidenceSequence;
import io.equipoise.policy.tabular.PerRoundConfidence;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Environment.SimulatedOutcome;
import io.equipoise.simulation.Environment.Twin;
import io.equipoise.simulation.Round;
import io.equipoise.simulation.StructuralModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Plays F-UCB where a feature of W follows the sensitive attribute: chooses one arm for the person
 * and one for each twin, all at once. The cells of W are those of the reward's own parents.
 *
 * <p>One arm for all is fair if its effect is within tau; that effect is known, it is the
 * follower's own part of the reward. Other choices are fair if mu(x, a) - sum chance mu(x', a')
 * stays within tau wherever the cell means are in their limits. Of the fair choices the one with
 * the greatest sum of indices wins; without any, the best single arm for all, as a fallback.
 *
 * <p>State: the rewards by cell. {@code fellBack} is that of the last choice.
 */
final class JointPlayer implements Player {
  private final StructuralModel model;
  private final Environment environment;
  private final double tau;
  private final double indexScale;
  private final ConfidenceSequence confidence;
  private final CellBlock cells;

  /** One arm of each kind: arms of a kind share every cell. */
  private final int[] kinds;

  private boolean fellBack;

  JointPlayer(
      StructuralModel model,
      Environment environment,
      double tau,
      double indexScale,
      ConfidenceSequence confidence) {
    this.model = model;
    this.environment = environment;
    this.tau = tau;
    this.indexScale = indexScale;
    this.confidence = confidence;
    cells = new CellBlock(model.means().length);
    kinds = kinds();
  }

  private int[] kinds() {
    int[] anyone = new int[environment.features().size()];
    Set<Integer> known = new HashSet<>();
    return IntStream.range(0, environment.arms())
        .filter(arm -> known.add(environment.cell(anyone, arm)))
        .toArray();
  }

  @Override
  public int[] choose(int[] person, List<Twin> twins, long t) {
    List<int[]> everyone = new ArrayList<>();
    everyone.add(person);
    twins.forEach(twin -> everyone.add(twin.context()));
    boolean isSameFair = Math.abs(knownEffect(person, twins)) <= tau;
    int[] arms = new int[everyone.size()];
    int[] best = arms;
    int[] bestSame = arms;
    double greatest = Double.NEGATIVE_INFINITY;
    double greatestSame = Double.NEGATIVE_INFINITY;
    int choices = IntStream.range(0, arms.length).reduce(1, (all, i) -> all * kinds.length);
    for (int number = 0; number < choices; number++) {
      int rest = number;
      for (int i = 0; i < arms.length; i++) {
        arms[i] = kinds[rest % kinds.length];
        rest /= kinds.length;
      }
      boolean isSame = Arrays.stream(arms).allMatch(arm -> arm == arms[0]);
      double sum = indices(everyone, arms, t);
      if (isSame && sum > greatestSame) {
        greatestSame = sum;
        bestSame = arms.clone();
      }
      if (sum > greatest && (isSame ? isSameFair : isFair(person, twins, arms, t))) {
        greatest = sum;
        best = arms.clone();
      }
    }
    fellBack = greatest == Double.NEGATIVE_INFINITY;
    return fellBack ? bestSame : best;
  }

  /** Returns the mean reward of a person minus that of the twins, under the same arm. */
  private double knownEffect(int[] person, List<Twin> twins) {
    double effect = featurePart(person);
    for (Twin twin : twins) {
      effect -= twin.chance() * featurePart(twin.context());
    }
    return effect;
  }

  /** Returns the mean reward with all levels of the action at 0: parts add up. */
  private double featurePart(int[] context) {
    int[] levels = new int[model.nodes().size()];
    for (int i = 0; i < context.length; i++) {
      levels[environment.features().get(i).place()] = context[i];
    }
    return model.mean(levels);
  }

  private double indices(List<int[]> everyone, int[] arms, long t) {
    double bonus = indexScale * Math.sqrt(2 * PerRoundConfidence.logTerm(t));
    double sum = 0;
    for (int i = 0; i < arms.length; i++) {
      int cell = environment.cell(everyone.get(i), arms[i]);
      sum += cells.mean(cell) + bonus / Math.sqrt((double) Math.max(1, cells.n(cell)));
    }
    return sum;
  }

  private boolean isFair(int[] person, List<Twin> twins, int[] arms, long t) {
    double[] weight = new double[cells.cells()];
    weight[environment.cell(person, arms[0])] += 1;
    for (int i = 0; i < twins.size(); i++) {
      Twin twin = twins.get(i);
      weight[environment.cell(twin.context(), arms[1 + i])] -= twin.chance();
    }
    double lower = 0;
    double upper = 0;
    for (int cell = 0; cell < weight.length; cell++) {
      if (weight[cell] != 0) {
        double atLower = weight[cell] * confidence.lower(cells, cell, t);
        double atUpper = weight[cell] * confidence.upper(cells, cell, t);
        lower += Math.min(atLower, atUpper);
        upper += Math.max(atLower, atUpper);
      }
    }
    return Math.max(Math.abs(lower), Math.abs(upper)) <= tau;
  }

  @Override
  public boolean fellBack() {
    return fellBack;
  }

  @Override
  public void learn(Round round, int arm, SimulatedOutcome answer, long t) {
    cells.observe(environment.cell(round.context(), arm), answer.reward());
  }
}
