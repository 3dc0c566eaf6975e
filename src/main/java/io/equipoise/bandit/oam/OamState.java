package io.equipoise.bandit.oam;

import java.util.BitSet;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * What OAM has learnt of a table: G = sum x x', b = sum r x, theta = G^-1 b once the pulled rows
 * span all, pulls by row, rounds of exploration, and the allocation that was solved last. For one
 * thread.
 */
public final class OamState {
  final long[] pulls;

  /** Rounds in which it did not exploit: s. */
  long explored;

  /** How often each row should be pulled; infinite where that costs nothing. */
  double[] allocation;

  long exploredWhenSolved;
  BitSet bestWhenSolved = new BitSet();
  BitSet keptWhenSolved = new BitSet();

  private final OamTable table;
  private final DMatrixRMaj gram;
  private final DMatrixRMaj inverse;
  private final double[] b;
  private final double[] theta;
  private int rank;

  /** Starts with nothing learnt. */
  public OamState(OamTable table) {
    this.table = table;
    int d = table.dimension();
    pulls = new long[table.size()];
    allocation = new double[table.size()];
    b = new double[d];
    theta = new double[d];
    gram = new DMatrixRMaj(d, d);
    inverse = new DMatrixRMaj(d, d);
  }

  /** Says whether the rows that were pulled span all rows. */
  boolean isSpanned() {
    return rank == table.dimension();
  }

  /** Returns theta'x of a row. */
  double mean(int row) {
    return OamTable.dot(theta, table.x(row));
  }

  /** Returns x' G^-1 x of a row. */
  double squaredWidth(int row) {
    double[] x = table.x(row);
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        sum += x[i] * inverse.unsafe_get(i, j) * x[j];
      }
    }
    return sum;
  }

  /** Adds an observation; the inverse is computed anew, in O(d^3). */
  void learn(int row, double reward) {
    if (!isSpanned() && table.enlarges(pulls, row)) {
      rank++;
    }
    pulls[row]++;
    double[] x = table.x(row);
    AllocationProblem.addSquare(gram, 1, x);
    for (int i = 0; i < b.length; i++) {
      b[i] += reward * x[i];
    }
    if (isSpanned()) {
      CommonOps_DDRM.invert(gram, inverse);
      for (int i = 0; i < theta.length; i++) {
        theta[i] = 0;
        for (int j = 0; j < theta.length; j++) {
          theta[i] += inverse.unsafe_get(i, j) * b[j];
        }
      }
    }
  }
}
