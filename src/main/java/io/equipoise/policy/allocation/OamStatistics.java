package io.equipoise.policy.allocation;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Keeps what OAM has learned of a table: pulls by row, G = sum xx', b = sum r x, the inverse of G
 * on the span of the rows that were pulled, and theta = G^-1 b. Mutable; {@link #copy} is deep.
 * Pulls, G and b are the state; inverse, theta and the rank are derived from them after every
 * observation, so they are always valid, and stored with them, so that a restart goes on with the
 * same bits.
 *
 * <pre>
 * Bytes, format 112, big-endian:
 *   0 format (u8)   1 dim (i32)   5 rows (i32)   9 rank of the pulled rows (i32)
 *  13 pulls: rows x i64   G packed lower by rows: dim(dim+1)/2 x f64   b, theta: dim x f64 each
 *     G^-1 by rows: dim x dim x f64
 * </pre>
 */
public final class OamStatistics extends StateBlock {
  /** The format of today; 113 is {@link OamPlan}'s, codes up to 127 are kept for the two. */
  public static final byte FORMAT = 112;

  private static final int LARGEST_DIMENSION = 1 << 10;
  private static final int MOST_ROWS = 1 << 20;

  long[] pulls;

  private DMatrixRMaj gram;
  private DMatrixRMaj inverse;
  private double[] b;
  private double[] theta;
  private int rank;

  /** Makes statistics of no table, to be read. */
  public OamStatistics() {
    this(0, 0);
  }

  /** Starts with nothing learned. */
  OamStatistics(OamTable table) {
    this(table.dimension, table.size());
  }

  /**
   * Takes over statistics.
   *
   * @param pulls by row of the table; what was learned is of their span
   * @param gram G, by coordinates of the table; its lower triangle counts, which is also the one
   *     that is written, so that a restart goes on with the same bits
   * @param b sum of r x, by coordinates of the table
   */
  OamStatistics(OamTable table, long[] pulls, DMatrixRMaj gram, double[] b) {
    this(table);
    System.arraycopy(pulls, 0, this.pulls, 0, pulls.length);
    for (int i = 0; i < b.length; i++) {
      for (int j = 0; j <= i; j++) {
        this.gram.unsafe_set(i, j, gram.unsafe_get(i, j));
        this.gram.unsafe_set(j, i, gram.unsafe_get(i, j));
      }
    }
    System.arraycopy(b, 0, this.b, 0, b.length);
    rank = table.span(pulls).size();
    solve(table);
  }

  private OamStatistics(int dimension, int rows) {
    allocate(dimension, rows);
  }

  private void allocate(int dimension, int rows) {
    pulls = new long[rows];
    b = new double[dimension];
    theta = new double[dimension];
    gram = new DMatrixRMaj(dimension, dimension);
    inverse = new DMatrixRMaj(dimension, dimension);
  }

  /**
   * Returns whether the rows that were pulled span all rows. Of others than these nothing is known.
   */
  boolean isSpanned() {
    return rank == b.length;
  }

  /** Returns G; not to be changed. */
  DMatrixRMaj gram() {
    return gram;
  }

  /** Returns the sum of r x; not to be changed. */
  double[] weightedSum() {
    return b;
  }

  /** Returns theta'x. */
  double mean(double[] x) {
    return OamTable.dot(theta, x);
  }

  /** Returns x' G^-1 x. */
  double squaredWidth(double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        sum += x[i] * inverse.unsafe_get(i, j) * x[j];
      }
    }
    return sum;
  }

  /** Adds an observation of a row of its table; the inverse is recomputed, in O(d^3). */
  void learn(OamTable table, int row, double reward) {
    if (!isSpanned() && table.enlarges(table.span(pulls), row)) {
      rank++;
    }
    pulls[row]++;
    learn(table, table.x(row), reward);
  }

  /**
   * Adds an observation of an arm that the table has no more: its features by the table's
   * coordinates, within the span of the rows that were pulled.
   */
  void learn(OamTable table, double[] x, double reward) {
    AllocationProblem.addSquare(gram, 1, x);
    for (int i = 0; i < b.length; i++) {
      b[i] += reward * x[i];
    }
    solve(table);
  }

  private void solve(OamTable table) {
    if (rank == 0) {
      return; // nothing is known, and a Gram matrix of zeros has no inverse
    }
    if (isSpanned()) {
      CommonOps_DDRM.invert(gram, inverse);
    } else {
      invertWithin(table.span(pulls));
    }
    for (int i = 0; i < theta.length; i++) {
      theta[i] = 0;
      for (int j = 0; j < theta.length; j++) {
        theta[i] += inverse.unsafe_get(i, j) * b[j];
      }
    }
  }

  /** G^-1 = B' (B G B')^-1 B, the rows of B an orthonormal basis of the span. */
  private void invertWithin(List<double[]> basis) {
    DMatrixRMaj within = new DMatrixRMaj(basis.toArray(new double[0][]));
    int k = within.numRows;
    DMatrixRMaj product = new DMatrixRMaj(k, b.length);
    DMatrixRMaj small = new DMatrixRMaj(k, k);
    CommonOps_DDRM.mult(within, gram, product);
    CommonOps_DDRM.multTransB(product, within, small);
    CommonOps_DDRM.invert(small);
    CommonOps_DDRM.mult(small, within, product);
    CommonOps_DDRM.multTransA(within, product, inverse);
  }

  @Override
  public OamStatistics copy() {
    OamStatistics copy = new OamStatistics(b.length, pulls.length);
    System.arraycopy(pulls, 0, copy.pulls, 0, pulls.length);
    System.arraycopy(b, 0, copy.b, 0, b.length);
    System.arraycopy(theta, 0, copy.theta, 0, b.length);
    copy.gram.setTo(gram);
    copy.inverse.setTo(inverse);
    copy.rank = rank;
    return copy;
  }

  @Override
  public boolean isChangedByRewardsOnly() {
    return true;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int dimension = bytes.i32(b.length);
    bytes.check(dimension >= 1 && dimension <= LARGEST_DIMENSION, "dimension", dimension);
    int rows = bytes.i32(pulls.length);
    bytes.check(rows >= 1 && rows <= MOST_ROWS, "rows", rows);
    rank = bytes.i32(rank);
    bytes.check(rank >= 0 && rank <= dimension, "rank", rank);
    bytes.fits(Long.BYTES * (rows + (long) dimension * dimension));
    if (bytes.isReading()) {
      allocate(dimension, rows);
    }
    bytes.i64s(pulls);
    for (int i = 0; i < dimension; i++) {
      bytes.f64s(gram.data, i * dimension, i * dimension + i + 1);
      for (int j = 0; bytes.isReading() && j < i; j++) {
        gram.unsafe_set(j, i, gram.unsafe_get(i, j));
      }
    }
    bytes.f64s(b);
    bytes.f64s(theta);
    bytes.f64s(inverse.data, 0, dimension * dimension);
  }
}
