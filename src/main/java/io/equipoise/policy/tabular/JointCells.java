package io.equipoise.policy.tabular;

import io.equipoise.policy.tabular.JointRegion.Cell;

/**
 * Holds the cells of one comparison, each number of all of them side by side; the numbers are those
 * of {@link Cell}. Unseen cells have 0 everywhere.
 */
final class JointCells {
  final int count;
  final double[] n;
  final double[] s;
  final double[] rest;
  final double[] mean;
  final double[] perMean;
  final double[] perRest;
  final double[] variance;
  final double[] precision;
  final double[] ownVariance;
  final double[] curvature;

  /** Sums over the cells. */
  final double budget;

  final double least;

  JointCells(Cell... cells) {
    count = cells.length;
    n = new double[count];
    s = new double[count];
    rest = new double[count];
    mean = new double[count];
    perMean = new double[count];
    perRest = new double[count];
    variance = new double[count];
    precision = new double[count];
    ownVariance = new double[count];
    curvature = new double[count];
    double allBudget = 0;
    double allLeast = 0;
    for (int i = 0; i < count; i++) {
      Cell cell = cells[i];
      n[i] = cell.n();
      s[i] = cell.s();
      rest[i] = cell.rest();
      mean[i] = cell.mean();
      perMean[i] = cell.perMean();
      perRest[i] = cell.perRest();
      variance[i] = cell.variance();
      precision[i] = cell.precision();
      ownVariance[i] = cell.ownVariance();
      curvature[i] = cell.curvature();
      allBudget += cell.budget();
      allLeast += cell.least();
    }
    budget = allBudget;
    least = allLeast;
  }
}
