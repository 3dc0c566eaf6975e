package io.equipoise.policy.bestarm;

import java.util.SplittableRandom;

/** Small models for property tests. */
final class RandomModels {
  private RandomModels() {}

  static CsrModel model(SplittableRandom random, int arms, int cells, int levels) {
    double[][] law = {distribution(random, cells), distribution(random, cells)};
    double[] ratio = new double[cells];
    for (int z = 0; z < cells; z++) {
      ratio[z] = law[0][z] / law[1][z];
    }
    double[][][] tables = new double[arms][cells][];
    for (double[][] arm : tables) {
      for (int z = 0; z < cells; z++) {
        arm[z] = distribution(random, levels);
      }
    }
    double share = .2 + .6 * random.nextDouble();
    return new CsrModel(new double[] {share, 1 - share}, law, ratio, tables);
  }

  static double[] distribution(SplittableRandom random, int size) {
    double[] row = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      row[i] = .05 + random.nextDouble();
      sum += row[i];
    }
    for (int i = 0; i < size; i++) {
      row[i] /= sum;
    }
    return row;
  }

  static int draw(SplittableRandom random, double[] distribution) {
    double rest = random.nextDouble();
    int place = 0;
    while (place < distribution.length - 1 && rest >= distribution[place]) {
      rest -= distribution[place++];
    }
    return place;
  }
}
