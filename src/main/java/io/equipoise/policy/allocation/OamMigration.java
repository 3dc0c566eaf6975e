package io.equipoise.policy.allocation;

import io.equipoise.policy.features.FeaturePlaces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Carries what OAM has learned of one table over to a table with other contexts or arms.
 *
 * <p>Pulls follow their rows. G and b change their coordinates. What only rows without a successor
 * show is a nuisance: with the coordinates k of rows that were pulled and go on, and w of the rest,
 *
 * <pre>
 * G = G_kk - G_kw G_ww^-1 G_wk,   b = b_k - G_kw G_ww^-1 b_w
 * </pre>
 *
 * <p>So each kept row has the mean and the width of the regression over all rewards (inverse of a
 * partitioned matrix). Later rewards of such rows do not change that.
 */
final class OamMigration {
  private static final int RETIRED = -1;

  private final OamTable from;
  private final OamTable to;
  private final FeaturePlaces places;
  private final int[] rows;

  /**
   * Compares two tables.
   *
   * @param places where the features of the earlier table are among those of the later one
   * @param rows of the later table by row of the earlier one, {@value #RETIRED} for none
   */
  OamMigration(OamTable from, OamTable to, FeaturePlaces places, int[] rows) {
    this.from = from;
    this.to = to;
    this.places = places;
    this.rows = rows.clone();
  }

  /** Returns the statistics of the later table. */
  OamStatistics carried(OamStatistics before) {
    long[] pulls = new long[to.size()];
    List<double[]> retired = new ArrayList<>();
    for (int row = 0; row < rows.length; row++) {
      if (rows[row] != RETIRED) {
        pulls[rows[row]] = before.pulls[row];
      } else if (before.pulls[row] > 0) {
        retired.add(features(from.x(row)));
      }
    }
    List<double[]> known = to.span(pulls);
    if (known.isEmpty()) {
      return new OamStatistics(to);
    }
    List<double[]> axes = known.stream().map(to::features).toList();
    List<double[]> all = OamTable.basis(axes, retired.toArray(new double[0][]));
    DMatrixRMaj turn = turn(all);
    DMatrixRMaj gram = square(turn, before.gram());
    DMatrixRMaj b = new DMatrixRMaj(all.size(), 1);
    double[] weighted = before.weightedSum();
    CommonOps_DDRM.mult(turn, DMatrixRMaj.wrap(weighted.length, 1, weighted), b);
    eliminate(gram, b, known.size());
    DMatrixRMaj inTable = new DMatrixRMaj(to.dimension, known.size());
    for (int axis = 0; axis < known.size(); axis++) {
      for (int i = 0; i < to.dimension; i++) {
        inTable.set(i, axis, known.get(axis)[i]);
      }
    }
    DMatrixRMaj left = CommonOps_DDRM.extract(gram, 0, known.size(), 0, known.size());
    DMatrixRMaj sum = new DMatrixRMaj(to.dimension, 1);
    CommonOps_DDRM.mult(inTable, CommonOps_DDRM.extract(b, 0, known.size(), 0, 1), sum);
    return new OamStatistics(to, pulls, square(inTable, left), sum.getData());
  }

  /** A plan is solved again when it is next needed; explored rounds stay counted. */
  OamPlan carried(OamPlan before) {
    OamPlan plan = new OamPlan(to.size());
    plan.explored = before.explored;
    return plan;
  }

  /** Returns features of the later table of coordinates of the earlier one. */
  private double[] features(double[] coordinates) {
    return places.spread(from.features(coordinates));
  }

  /** Returns the matrix from the earlier table's coordinates to those of some axes. */
  private DMatrixRMaj turn(List<double[]> axes) {
    DMatrixRMaj turn = new DMatrixRMaj(axes.size(), from.dimension);
    double[] unit = new double[from.dimension];
    for (int j = 0; j < unit.length; j++) {
      Arrays.fill(unit, 0);
      unit[j] = 1;
      double[] features = features(unit);
      for (int i = 0; i < axes.size(); i++) {
        turn.set(i, j, OamTable.dot(axes.get(i), features));
      }
    }
    return turn;
  }

  /** Returns m g m'. */
  private static DMatrixRMaj square(DMatrixRMaj m, DMatrixRMaj g) {
    DMatrixRMaj half = new DMatrixRMaj(m.numRows, g.numCols);
    DMatrixRMaj square = new DMatrixRMaj(m.numRows, m.numRows);
    CommonOps_DDRM.mult(m, g, half);
    CommonOps_DDRM.multTransB(half, m, square);
    return square;
  }

  /** Eliminates the last coordinates one by one, as in a Gaussian elimination from the end. */
  private static void eliminate(DMatrixRMaj gram, DMatrixRMaj b, int left) {
    for (int w = gram.numRows - 1; w >= left; w--) {
      double pivot = gram.get(w, w);
      for (int i = 0; i < w; i++) {
        double factor = gram.get(i, w) / pivot;
        for (int j = 0; j < w; j++) {
          gram.add(i, j, -factor * gram.get(w, j));
        }
        b.add(i, 0, -factor * b.get(w, 0));
      }
    }
  }
}
