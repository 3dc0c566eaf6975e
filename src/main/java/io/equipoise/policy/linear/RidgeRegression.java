package io.equipoise.policy.linear;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.kernel.Kernels;
import io.equipoise.policy.linear.SymmetricMatrix.PackedMatrix;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the ridge regression of one arm, or of all arms where theta is shared (Li et al. 2010,
 * Algorithm 1; Fair-LinUCB, eq. 2): the Gram matrix G = sum xx', b = sum r x, and what choosing
 * needs, A^-1 = (G + rho I)^-1 and theta = A^-1 b. Mutable; {@link #copy} is deep. What the bytes
 * list is state; the whole log of det A and the largest width are derived from it.
 *
 * <p>G and b are sums, so learners merge; A^-1 and theta follow them by Sherman-Morrison and are
 * recomputed from G and b by {@link RidgeModel} before drift shows. rho is lambda, but for a
 * discounted model between two refreshes. In memory matrices are {@link SymmetricMatrix}, in bytes
 * packed lower triangles by rows. Before the first observation nothing is allocated: A^-1 = I /
 * lambda.
 *
 * <pre>
 * Bytes, format 16, big-endian:
 *   0 format (u8)   1 flags (u8; bit 0: has matrices, 1: a window, 2: counts, 3: features left)
 *   2 dim (i32)
 *   6 lambda (f64)  14 n (i64)  22 round (i64)  30 updates since refresh (i32)
 *  34 rho (f64)  42 log det A / lambda^dim (f64)  50 bound of A^-1's eigenvalues (f64)
 *  58 factor of det A since that log (f64)
 *   . [rewards counted (i64), their sum (f64), sum of their squares (f64)]
 *   . [b, theta: dim x f64 each;  G, A^-1: dim(dim+1)/2 x f64 each]
 *   . [log of the pivots of features that left, each by lambda (f64)  R: dim(dim+1)/2 x f64]  [window]
 * </pre>
 *
 * <p>Features that no later observation has {@linkplain #eliminate leave} by Schur's complement, so
 * that theta, widths and det A are for ever those of the regression that keeps them. The ridge was
 * rho I then; it is rho R afterwards, and G is A less rho I, as before.
 */
public final class RidgeRegression extends StateBlock implements ContrastModel {
  /** The format code. */
  public static final byte FORMAT = 16;

  /** A factor of det A beyond this, or below its inverse, is put into the log: no overflow. */
  private static final double LARGEST_FACTOR = 1e100;

  private static final int MATRICES = 1;
  private static final int WINDOW = 2;
  private static final int COUNTS = 4;
  private static final int LEFT = 8;

  /** The bytes of counts, if there are any. */
  static final int COUNTS_BYTES = Long.BYTES + 2 * Double.BYTES;

  private static final int LARGEST_DIMENSION = 20_000;

  int dimension;
  double lambda;
  @Nullable ObservationWindow window;

  long n;

  /** Rewards that were counted, their sum and that of their squares. */
  long counted;

  double rewards;
  double squares;
  long round;
  int sinceRefresh;
  double rho;
  private double largestEigenvalue;

  /** log(det A / lambda^d) but for the factor: one log for many observations, not one for each. */
  private double logDeterminant;

  private double factor = 1;

  /** The log with its factor in it, NaN until it is asked for; derived, in no byte. */
  private double wholeLog = Double.NaN;

  /** No width of a vector of length 1 exceeds this; derived, in no byte. */
  private double largestWidth;

  double[] b = new double[0];
  double[] theta = new double[0];

  /** Only its lower triangle is kept up to date. */
  double[] gram = new double[0];

  double[] inverse = new double[0];

  /**
   * log(det / lambda^k) of the pivots of k features that left, and R; no elements where it is I.
   */
  double logOfLeft;

  private double[] ridges = new double[0];

  /** Makes a regression without features, to be read. */
  public RidgeRegression() {
    this(0, 1, null);
  }

  /** Starts without an observation. */
  RidgeRegression(int dimension, double lambda, boolean hasWindow) {
    this(dimension, lambda, hasWindow ? new ObservationWindow(dimension) : null);
  }

  private RidgeRegression(int dimension, double lambda, @Nullable ObservationWindow window) {
    this.dimension = dimension;
    this.lambda = lambda;
    this.window = window;
    rho = lambda;
    largestEigenvalue(1 / lambda);
  }

  public int dimension() {
    return dimension;
  }

  /** Returns the number of observations, those included that were forgotten since. */
  public long n() {
    return n;
  }

  /** Returns log(det A / lambda^dim), at least 0 without forgetting. */
  @Override
  public double logDeterminant() {
    if (Double.isNaN(wholeLog)) {
      wholeLog = logDeterminant + StrictMath.log(factor);
    }
    return wholeLog;
  }

  void logDeterminant(double log) {
    setDeterminant(log, 1);
  }

  /** Multiplies det A by a factor above 0. */
  void multiplyDeterminant(double by) {
    double product = factor * by;
    if (product > LARGEST_FACTOR || product < 1 / LARGEST_FACTOR) {
      setDeterminant(logDeterminant + StrictMath.log(factor) + StrictMath.log(by), 1);
    } else {
      setDeterminant(logDeterminant, product);
    }
  }

  private void setDeterminant(double log, double factorOnTop) {
    logDeterminant = log;
    factor = factorOnTop;
    wholeLog = Double.NaN;
  }

  /** Returns a number that no eigenvalue of A^-1 exceeds. */
  public double largestEigenvalue() {
    return largestEigenvalue;
  }

  void largestEigenvalue(double bound) {
    largestEigenvalue = bound;
    largestWidth = Math.sqrt(bound);
  }

  /** Returns a number that sqrt(x'A^-1x) does not exceed, up to rounding, for any x of length 1. */
  double largestWidth() {
    return largestWidth;
  }

  /** Returns theta of a feature; 0 before the first observation. */
  @Override
  public double theta(int feature) {
    return isEmpty() ? 0 : theta[feature];
  }

  /** Returns whether nothing was observed, so that A = lambda I. */
  boolean isEmpty() {
    return theta.length == 0;
  }

  /** Returns the ridge of the start. */
  @Override
  public double lambda() {
    return lambda;
  }

  /** Returns the ridge that is left. */
  @Override
  public double ridge() {
    return rho;
  }

  @Override
  public double ridgeNorm(double[] v) {
    return hasLost() ? SymmetricMatrix.quadratic(ridges, v, dimension) : Kernels.dot(v, v);
  }

  /** Returns whether features left that had been observed. */
  boolean hasLost() {
    return ridges.length > 0;
  }

  @Override
  public void solve(FeatureVector x, double[] out) {
    SymmetricMatrix.times(inverse, x, out);
  }

  /** Returns theta'x. */
  @Override
  public double mean(FeatureVector x) {
    return isEmpty() ? 0 : SymmetricMatrix.dot(theta, x);
  }

  @Override
  public double mean(double[] x) {
    return isEmpty() ? 0 : Kernels.dot(theta, x);
  }

  /** Returns x'A^-1x, at least 0. */
  @Override
  public double squaredWidth(FeatureVector x) {
    return isEmpty()
        ? x.squaredNorm() / lambda
        : Math.max(0, SymmetricMatrix.quadratic(inverse, x));
  }

  @Override
  public double squaredWidth(double[] x) {
    return isEmpty()
        ? Kernels.dot(x, x) / lambda
        : Math.max(0, SymmetricMatrix.quadratic(inverse, x, dimension));
  }

  /** Counts a reward, for an index that reaches deviations of the rewards. */
  void count(double reward) {
    counted++;
    rewards += reward;
    squares += reward * reward;
  }

  void addCounts(RidgeRegression other) {
    counted += other.counted;
    rewards += other.rewards;
    squares += other.squares;
  }

  /** Makes room for matrices, in the state without an observation. */
  void allocate() {
    b = new double[Kernels.padded(dimension)];
    theta = new double[Kernels.padded(dimension)];
    gram = new double[SymmetricMatrix.length(dimension)];
    inverse = new double[SymmetricMatrix.length(dimension)];
    for (int i = 0; i < dimension; i++) {
      SymmetricMatrix.set(inverse, dimension, i, i, 1 / rho);
    }
  }

  /**
   * Carries a feature that left a regression.
   *
   * @param row of A, as it was when those before had left
   * @param b its element of b then
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
  public record Left(int feature, double[] row, double b) {
    /** Returns the feature's own element of the row. */
    public double pivot() {
      return row[feature];
    }
  }

  /**
   * Takes out what is gone, one feature after the other: A becomes its Schur complement, b and R
   * follow. Theta and A^-1 of the others stay. Nothing may have been forgotten.
   */
  List<Left> eliminate(FeaturePlaces to) {
    List<Left> all = new ArrayList<>();
    for (int k = 0; k < dimension && !isEmpty(); k++) {
      if (to.isGone(k)) {
        all.add(eliminate(k));
      }
    }
    return all;
  }

  private Left eliminate(int k) {
    double[] row = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      row[i] = gram[lower(i, k)] + (i == k ? rho : 0);
    }
    Left left = new Left(k, row, b[k]);
    double[] ridgeRow = new double[dimension];
    if (!hasLost()) {
      ridges = new double[SymmetricMatrix.length(dimension)];
      for (int i = 0; i < dimension; i++) {
        SymmetricMatrix.set(ridges, dimension, i, i, 1);
      }
    }
    for (int i = 0; i < dimension; i++) {
      ridgeRow[i] = ridges[lower(i, k)];
    }
    logOfLeft += StrictMath.log(left.pivot() / lambda);
    for (int i = 0; i < dimension; i++) {
      double share = row[i] / left.pivot();
      b[i] -= share * left.b();
      for (int j = 0; j <= i; j++) {
        double other = row[j] / left.pivot();
        int at = lower(i, j);
        SymmetricMatrix.set(gram, dimension, i, j, gram[at] - share * row[j]);
        double ridge =
            ridges[at] - share * ridgeRow[j] - other * ridgeRow[i] + share * other * ridgeRow[k];
        SymmetricMatrix.set(ridges, dimension, i, j, ridge);
      }
    }
    return left;
  }

  private int lower(int i, int j) {
    return SymmetricMatrix.place(dimension, Math.max(i, j), Math.min(i, j));
  }

  /**
   * Returns the regression as it is with other features. More features were 0 in all observations:
   * G and b are 0 there, A has the ridge on its diagonal. Features that are gone have left.
   *
   * @param to where the features of today are then
   */
  public RidgeRegression spread(FeaturePlaces to) {
    RidgeRegression left = copy();
    left.eliminate(to);
    return left.placed(to);
  }

  private RidgeRegression placed(FeaturePlaces to) {
    RidgeRegression wide =
        new RidgeRegression(to.among(), lambda, window == null ? null : window.spread(to));
    wide.n = n;
    wide.addCounts(this);
    wide.round = round;
    wide.sinceRefresh = sinceRefresh;
    wide.rho = rho;
    double ofNewFeatures = (to.among() - dimension) * StrictMath.log(rho / lambda);
    wide.setDeterminant(logDeterminant + ofNewFeatures, factor);
    double widest = 1 / rho;
    wide.largestEigenvalue(
        largestEigenvalue < widest ? widest * RidgeForgetting.SAFE : largestEigenvalue);
    if (!isEmpty()) {
      wide.allocate();
      System.arraycopy(to.spread(b), 0, wide.b, 0, to.among());
      System.arraycopy(to.spread(theta), 0, wide.theta, 0, to.among());
      place(gram, to, wide.gram);
      place(inverse, to, wide.inverse);
      if (hasLost()) {
        wide.logOfLeft = logOfLeft;
        wide.ridges = new double[SymmetricMatrix.length(to.among())];
        for (int i = 0; i < to.among(); i++) {
          SymmetricMatrix.set(wide.ridges, to.among(), i, i, 1);
        }
        place(ridges, to, wide.ridges);
      }
    }
    return wide;
  }

  private void place(double[] matrix, FeaturePlaces to, double[] wide) {
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j <= i && !to.isGone(i); j++) {
        if (!to.isGone(j)) {
          int high = Math.max(to.of(i), to.of(j));
          int low = Math.min(to.of(i), to.of(j));
          SymmetricMatrix.set(wide, to.among(), high, low, matrix[lower(i, j)]);
        }
      }
    }
  }

  @Override
  public RidgeRegression copy() {
    RidgeRegression copy =
        new RidgeRegression(dimension, lambda, window == null ? null : window.copy());
    copy.n = n;
    copy.addCounts(this);
    copy.round = round;
    copy.sinceRefresh = sinceRefresh;
    copy.rho = rho;
    copy.setDeterminant(logDeterminant, factor);
    copy.largestEigenvalue(largestEigenvalue);
    copy.b = b.clone();
    copy.theta = theta.clone();
    copy.gram = gram.clone();
    copy.inverse = inverse.clone();
    copy.logOfLeft = logOfLeft;
    copy.ridges = ridges.clone();
    return copy;
  }

  @Override
  public boolean isChangedByRewardsOnly() {
    return true;
  }

  /** Returns the bytes of an arm that has learned, but for what its window holds, if it has one. */
  static int learnedBytes(int dimension, boolean hasWindow) {
    return new RidgeRegression(dimension, 1, hasWindow).byteLength() + (int) matrixBytes(dimension);
  }

  private static long matrixBytes(int dimension) {
    return 2L * Double.BYTES * (dimension + PackedMatrix.length(dimension));
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int flags =
        bytes.i8(
            (isEmpty() ? 0 : MATRICES)
                | (window == null ? 0 : WINDOW)
                | (counted == 0 ? 0 : COUNTS)
                | (hasLost() ? LEFT : 0));
    bytes.check((flags & ~(MATRICES | WINDOW | COUNTS | LEFT)) == 0, "unknown flags", flags);
    bytes.check((flags & (MATRICES | LEFT)) != LEFT, "flags without matrices", flags);
    dimension = bytes.i32(dimension);
    bytes.check(dimension >= 1 && dimension <= LARGEST_DIMENSION, "dimension", dimension);
    lambda = bytes.f64(lambda);
    n = bytes.i64(n);
    round = bytes.i64(round);
    sinceRefresh = bytes.i32(sinceRefresh);
    rho = bytes.f64(rho);
    logDeterminant = bytes.f64(logDeterminant);
    largestEigenvalue = bytes.f64(largestEigenvalue);
    factor = bytes.f64(factor);
    if (bytes.isReading()) {
      largestEigenvalue(largestEigenvalue);
      wholeLog = Double.NaN;
      window = (flags & WINDOW) == 0 ? null : new ObservationWindow(dimension);
    }
    if ((flags & COUNTS) != 0) {
      counted = bytes.i64(counted);
      rewards = bytes.f64(rewards);
      squares = bytes.f64(squares);
    }
    if ((flags & MATRICES) != 0) {
      bytes.fits(matrixBytes(dimension));
      if (bytes.isReading()) {
        allocate();
      }
      bytes.f64s(b, 0, dimension);
      bytes.f64s(theta, 0, dimension);
      SymmetricMatrix.layout(bytes, gram, dimension);
      SymmetricMatrix.layout(bytes, inverse, dimension);
    }
    if ((flags & LEFT) != 0) {
      logOfLeft = bytes.f64(logOfLeft);
      bytes.fits((long) Double.BYTES * PackedMatrix.length(dimension));
      if (bytes.isReading()) {
        ridges = new double[SymmetricMatrix.length(dimension)];
      }
      SymmetricMatrix.layout(bytes, ridges, dimension);
    }
    if (window != null) {
      bytes.part(window);
    }
  }
}
