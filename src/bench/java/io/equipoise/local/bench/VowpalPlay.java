package io.equipoise.local.bench;

import java.io.IOException;
import java.util.Locale;
import vowpalWabbit.learner.VWActionProbsLearner;
import vowpalWabbit.learner.VWLearners;
import vowpalWabbit.responses.ActionProb;
import vowpalWabbit.responses.ActionProbs;

/**
 * Plays a workload with Vowpal Wabbit's contextual bandits: predicts, takes the likeliest arm,
 * learns its cost, the negated reward. Every arm is a namespace of its own weights by crossing its
 * name with the features. Lines are written beforehand, but for the label.
 */
final class VowpalPlay implements AutoCloseable {
  private static final int LARGEST_CIRCLE = 200;

  private final LinearWorkload workload;
  private final VWActionProbsLearner vowpal;
  private final String[][] lines;
  private int played;

  VowpalPlay(LinearWorkload workload, String explorer) throws Exception {
    this.workload = workload;
    vowpal =
        VWLearners.create(
            "--cb_explore_adf " + explorer + " -q ax --ignore_linear x -b 22 --quiet");
    lines = new String[Math.min(LARGEST_CIRCLE, workload.contexts.length)][];
    for (int place = 0; place < lines.length; place++) {
      double[][] context = workload.contexts[place];
      lines[place] = new String[workload.arms];
      for (int arm = 0; arm < workload.arms; arm++) {
        double[] x = context[context.length == 1 ? 0 : arm];
        lines[place][arm] = "|a arm" + arm + " |x" + features(x);
      }
    }
  }

  private static String features(double[] x) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < x.length; i++) {
      if (x[i] != 0) {
        text.append(String.format(Locale.ROOT, " f%d:%.6f", i, x[i]));
      }
    }
    return text.toString();
  }

  int next() {
    int place = played++ % lines.length;
    String[] arms = lines[place];
    ActionProb likeliest = likeliest(vowpal.predict(arms));
    int chosen = likeliest.getAction();
    String line = arms[chosen];
    double cost = -workload.rewards[place][chosen];
    arms[chosen] = "0:" + (float) cost + ":" + likeliest.getProbability() + " " + line;
    vowpal.learn(arms);
    arms[chosen] = line;
    return chosen;
  }

  private static ActionProb likeliest(ActionProbs probabilities) {
    ActionProb likeliest = probabilities.getActionProbs()[0];
    for (ActionProb one : probabilities.getActionProbs()) {
      likeliest = one.getProbability() > likeliest.getProbability() ? one : likeliest;
    }
    return likeliest;
  }

  @Override
  public void close() throws IOException {
    vowpal.close();
  }
}
