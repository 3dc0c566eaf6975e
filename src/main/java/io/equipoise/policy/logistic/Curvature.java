package io.equipoise.policy.logistic;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.linear.RidgeRegression.Left;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * Keeps a symmetric positive definite matrix H and its inverse (n x n), H = lambda I at first.
 * Mutable; {@link #copy} is deep. Changing it allocates nothing but for a refresh of the inverse.
 *
 * <p>log det H is derived, and valid while {@code isLogDetKnown}. The arrays {@code factor}, {@code
 * shrunk}, {@code solved} and {@code places} are scratch that reading methods write too: for one
 * thread at a time.
 *
 * <p>Features that no later vector has leave by Schur's complement, so that widths and det H are
 * for ever those of the matrix that keeps them. The part of H that no data gave was lambda I
 * before; it is lambda R then (docs/math/weighted-sums.md#features-that-leave).
 */
final class Curvature {
  /** Below this variance an effect does not depend on the parameter. */
  private static final double NO_VARIANCE = 1e-14;

  /** By how much of a number its multiple may be off. */
  private static final double ROUNDING = 8e-16;

  /** Places whose ratio may be the multiple of all. */
  private static final int TRIED = 2;

  private final int n;
  final double lambda;

  /** H; not to be changed. */
  final DMatrixRMaj h;

  /** H^-1; not to be changed. */
  final DMatrixRMaj inverse;

  private final double[] factor;
  private final double[] shrunk;
  private final double[] solved;
  private final int[] places;
  private double logDet;
  private boolean isLogDetKnown;

  /** R by rows; no elements where it is I. */
  private double[] ridges;

  /** log(det / lambda^k) of the pivots of k features that left. */
  private double logOfLeft;

  /** The squares of theta where features left are theta'(R - I)theta - 2 pull'theta + offset. */
  private double[] pull;

  private double offset;

  Curvature(int n, double lambda) {
    this(n, lambda, false);
  }

  /**
   * Starts, or makes room to be read.
   *
   * @param hasLost whether features left
   */
  Curvature(int n, double lambda, boolean hasLost) {
    this.n = n;
    ridges = new double[hasLost ? n * n : 0];
    pull = new double[hasLost ? n : 0];
    this.lambda = lambda;
    h = new DMatrixRMaj(n, n);
    inverse = new DMatrixRMaj(n, n);
    factor = new double[n * n];
    shrunk = new double[n];
    solved = new double[n];
    places = new int[n];
    for (int i = 0; i < n; i++) {
      h.set(i, i, lambda);
      inverse.set(i, i, 1 / lambda);
      if (hasLost) {
        ridges[i * n + i] = 1;
      }
    }
  }

  /** Returns whether features left. */
  boolean hasLost() {
    return ridges.length > 0;
  }

  double ridgeNorm(double[] v) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
      double ofRow = hasLost() ? 0 : v[i];
      for (int j = 0; hasLost() && j < n; j++) {
        ofRow += ridges[i * n + j] * v[j];
      }
      sum += v[i] * ofRow;
    }
    return sum;
  }

  /** Returns what the coefficients of features that left add to |theta|^2; they follow theta. */
  double squaresOfLeft(double[] theta) {
    return hasLost()
        ? Math.max(
            0, ridgeNorm(theta) - Vectors.dot(theta, theta) - 2 * Vectors.dot(pull, theta) + offset)
        : 0;
  }

  /**
   * Writes H^-1 x into an array other than x; elements of x beyond n do not count. Zeros of x cost
   * nothing. Columns are added one after another, ascending, four in one pass.
   */
  void solve(double[] x, double[] out) {
    Arrays.fill(out, 0);
    int count = 0;
    for (int i = 0; i < n; i++) {
      places[count] = i;
      count += x[i] != 0 ? 1 : 0;
    }
    addColumns(x, count, out);
  }

  /**
   * Returns H^-1 x from that of another vector. Places where x is the same multiple of it, but for
   * rounding, cost nothing: vectors of one request differ in few features, before each is divided
   * by its norm.
   */
  double[] solved(double[] x, double[] other, double[] solvedOther) {
    double best = 0;
    int least = n;
    double scale = Double.NaN;
    int count = 0;
    int tried = 0;
    for (int place = 0; place < n && tried < TRIED && least > tried; place++) {
      if (x[place] * other[place] != 0) {
        tried++;
        scale = x[place] / other[place];
        count = subtract(x, scale, other);
        best = count < least ? scale : best;
        least = Math.min(least, count);
      }
    }
    count = scale == best ? count : subtract(x, best, other);
    double[] out = new double[n];
    for (int i = 0; i < n; i++) {
      out[i] = best * solvedOther[i];
    }
    addColumns(shrunk, count, out);
    return out;
  }

  /** Fills in what x has besides a multiple of another vector, and returns in how many places. */
  private int subtract(double[] x, double scale, double[] other) {
    int count = 0;
    for (int i = 0; i < n; i++) {
      double rest = x[i] - scale * other[i];
      shrunk[i] = rest;
      if (!(Math.abs(rest) <= ROUNDING * Math.abs(x[i]))) {
        places[count++] = i;
      }
    }
    return count;
  }

  /** Adds the columns of the first places, times elements of x. */
  private void addColumns(double[] x, int count, double[] out) {
    int k = 0;
    for (; k + 3 < count; k += 4) {
      addFour(x, k, out);
    }
    double[] data = inverse.data;
    for (; k < count; k++) {
      double weight = x[places[k]];
      int from = places[k] * n;
      for (int row = 0; row < n; row++) {
        out[row] += data[from + row] * weight;
      }
    }
  }

  private void addFour(double[] x, int k, double[] out) {
    double[] data = inverse.data;
    int first = places[k] * n;
    int second = places[k + 1] * n;
    int third = places[k + 2] * n;
    int fourth = places[k + 3] * n;
    double ofFirst = x[places[k]];
    double ofSecond = x[places[k + 1]];
    double ofThird = x[places[k + 2]];
    double ofFourth = x[places[k + 3]];
    for (int row = 0; row < n; row++) {
      out[row] =
          out[row]
              + data[first + row] * ofFirst
              + data[second + row] * ofSecond
              + data[third + row] * ofThird
              + data[fourth + row] * ofFourth;
    }
  }

  /** Returns a' H^-1 b. */
  double product(double[] a, double[] b) {
    return product(a, Vectors.nonzeros(a), b, Vectors.nonzeros(b));
  }

  /** Returns a' H^-1 b of vectors that are zero but in these places. */
  double product(double[] a, int[] placesOfA, double[] b, int[] placesOfB) {
    if (Vectors.isDense(b, placesOfB)) {
      solve(b, solved);
      return Vectors.dot(a, placesOfA, solved);
    }
    double[] data = inverse.data;
    double product = 0;
    for (int row : placesOfA) {
      int from = row * n;
      double sum = 0;
      for (int column : placesOfB) {
        sum += data[from + column] * b[column];
      }
      product += a[row] * sum;
    }
    return product;
  }

  /** Returns x' H^-1 x, never below 0; elements beyond n do not count. */
  double variance(double[] x) {
    solve(x, solved);
    double variance = 0;
    for (int i = 0; i < n; i++) {
      variance += x[i] * solved[i];
    }
    return Math.max(0, variance);
  }

  /** Returns the leverage of a direction, and which share of it no data give. */
  Overlap overlap(double[] c) {
    solve(c, solved);
    return overlap(Vectors.dot(c, solved), ridgeNorm(solved));
  }

  /** Returns the same of the direction s a - t b. */
  Overlap overlap(double s, double[] a, double[] solvedA, double t, double[] b, double[] solvedB) {
    double leverage = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double v = s * solvedA[i] - t * solvedB[i];
      leverage += (s * a[i] - t * b[i]) * v;
      squares += v * v;
      solved[i] = v;
    }
    return overlap(leverage, hasLost() ? ridgeNorm(solved) : squares);
  }

  /**
   * Returns whether the places where a sparse direction is not zero suffice to say that at least so
   * large a share of its leverage comes from no data: more squares make no smaller sum, nor does R,
   * which is at least I.
   *
   * @param placesOfC outside of which c is zero
   */
  boolean isSurelyUnsupported(double[] c, int[] placesOfC, double share) {
    double leverage = 0;
    double squares = 0;
    for (int row : placesOfC) {
      double sum = 0;
      for (int column : placesOfC) {
        sum += inverse.data[row * n + column] * c[column];
      }
      leverage += c[row] * sum;
      squares += sum * sum;
    }
    return overlap(leverage, squares).unsupportedShare() >= share;
  }

  private Overlap overlap(double product, double squares) {
    double leverage = Math.max(0, product);
    double share = leverage < NO_VARIANCE ? 0 : Math.min(1, lambda * squares / leverage);
    return new Overlap(leverage, share);
  }

  /**
   * Adds weight x x' to H, given v = H^-1 x and q = x . v (Sherman and Morrison). Both triangles of
   * the inverse are computed alike, row by row, so that they stay equal to the last bit.
   */
  void add(double[] x, double[] v, double q, double weight) {
    for (int i = 0; i < n; i++) {
      solved[i] = weight * x[i];
    }
    addProduct(h.data, solved, x);
    double shrink = -weight / (1 + weight * q);
    for (int i = 0; i < n; i++) {
      shrunk[i] = shrink * v[i];
    }
    addProduct(inverse.data, shrunk, v);
    isLogDetKnown = false;
  }

  /** Adds a b', of two parallel vectors, to a symmetric matrix. */
  private void addProduct(double[] data, double[] a, double[] b) {
    for (int row = 0; row < n; row++) {
      double ofA = a[row];
      double ofB = b[row];
      if (ofB != 0) {
        int from = row * n;
        for (int column = 0; column <= row; column++) {
          data[from + column] += ofA * b[column];
        }
        for (int column = row + 1; column < n; column++) {
          data[from + column] += a[column] * ofB;
        }
      }
    }
  }

  /** Sets H to lambda I plus a symmetric matrix without negative eigenvalues. */
  void set(DMatrixRMaj added) {
    h.setTo(added);
    for (int i = 0; i < n; i++) {
      h.add(i, i, lambda);
    }
    isLogDetKnown = false;
    refresh();
  }

  /**
   * Computes the inverse from H again, by Cholesky. Keeps the old one where rounding has left H
   * without a decomposition.
   */
  void refresh() {
    LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.symmPosDef(n);
    if (!solver.setA(h.copy())) {
      return;
    }
    DMatrixRMaj fresh = new DMatrixRMaj(n, n);
    solver.invert(fresh);
    for (int row = 0; row < n; row++) {
      for (int column = 0; column <= row; column++) {
        double mean = (fresh.get(row, column) + fresh.get(column, row)) / 2;
        inverse.set(row, column, mean);
        inverse.set(column, row, mean);
      }
    }
  }

  /**
   * Returns log det H. Where rounding has left H without a decomposition, returns Hadamard's bound,
   * the sum of the diagonal's logarithms: larger, so that a radius from it is wider.
   */
  double logDet() {
    if (!isLogDetKnown) {
      boolean isDecomposed = decompose();
      double sum = 0;
      for (int i = 0; i < n; i++) {
        double pivot = isDecomposed ? factor[i * n + i] : 0;
        sum += isDecomposed ? 2 * StrictMath.log(pivot) : StrictMath.log(h.unsafe_get(i, i));
      }
      logDet = sum + logOfLeft;
      isLogDetKnown = true;
    }
    return logDet;
  }

  /**
   * Decomposes H into U' U by Cholesky, two rows at a time: of the elements of H those of the rows
   * above are taken away, ascending, four rows in one pass. Returns whether every pivot is above 0.
   */
  private boolean decompose() {
    double[] u = factor;
    double[] row = shrunk;
    double[] next = solved;
    for (int i = 0; i < n; i += 2) {
      int other = Math.min(i + 1, n - 1); // i again where it is the last
      System.arraycopy(h.data, i * n + i, row, i, n - i);
      System.arraycopy(h.data, other * n + i, next, i, n - i);
      int k = 0;
      for (; k + 3 < i; k += 4) {
        reduceByFour(i, other, k);
      }
      for (; k < i; k++) {
        double ofRow = u[k * n + i];
        double ofNext = u[k * n + other];
        for (int j = i; j < n; j++) {
          row[j] -= ofRow * u[k * n + j];
          next[j] -= ofNext * u[k * n + j];
        }
      }
      if (!keep(row, i)) {
        return false;
      }
      double own = u[i * n + other];
      for (int j = other; j < n; j++) {
        next[j] -= own * u[i * n + j];
      }
      if (other > i && !keep(next, other)) {
        return false;
      }
    }
    return true;
  }

  private void reduceByFour(int i, int other, int k) {
    double[] u = factor;
    double[] row = shrunk;
    double[] next = solved;
    int first = k * n;
    int second = first + n;
    int third = second + n;
    int fourth = third + n;
    double rowOfFirst = u[first + i];
    double rowOfSecond = u[second + i];
    double rowOfThird = u[third + i];
    double rowOfFourth = u[fourth + i];
    double nextOfFirst = u[first + other];
    double nextOfSecond = u[second + other];
    double nextOfThird = u[third + other];
    double nextOfFourth = u[fourth + other];
    for (int j = i; j < n; j++) {
      double ofFirst = u[first + j];
      double ofSecond = u[second + j];
      double ofThird = u[third + j];
      double ofFourth = u[fourth + j];
      row[j] =
          row[j]
              - rowOfFirst * ofFirst
              - rowOfSecond * ofSecond
              - rowOfThird * ofThird
              - rowOfFourth * ofFourth;
      next[j] =
          next[j]
              - nextOfFirst * ofFirst
              - nextOfSecond * ofSecond
              - nextOfThird * ofThird
              - nextOfFourth * ofFourth;
    }
  }

  /** Keeps a row of U, given its elements times its pivot; returns whether that is above 0. */
  private boolean keep(double[] row, int i) {
    if (row[i] <= 0) {
      return false;
    }
    double root = Math.sqrt(row[i]);
    double inverseRoot = 1 / root;
    factor[i * n + i] = root;
    for (int j = i + 1; j < n; j++) {
      factor[i * n + j] = row[j] * inverseRoot;
    }
    return true;
  }

  /**
   * Takes out what is gone, one feature after the other: H becomes its Schur complement, R follows.
   * The inverse keeps its rows until {@link #spread}.
   *
   * @param theta of the model
   * @return what left, with H theta
   */
  List<Left> eliminate(FeaturePlaces to, double[] theta) {
    List<Left> all = new ArrayList<>();
    double[] b = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        b[i] += h.unsafe_get(i, j) * theta[j];
      }
    }
    for (int k = 0; k < n; k++) {
      if (to.isGone(k)) {
        all.add(eliminate(k, b));
      }
    }
    return all;
  }

  private Left eliminate(int k, double[] b) {
    Left left = new Left(k, Arrays.copyOfRange(h.data, k * n, (k + 1) * n), b[k]);
    if (!hasLost()) {
      ridges = new Curvature(n, lambda, true).ridges;
      pull = new double[n];
    }
    double own = left.b() / left.pivot();
    double pullOfOwn = pull[k];
    offset += own * (own * ridges[k * n + k] - 2 * pullOfOwn);
    double[] ridgeRow = Arrays.copyOfRange(ridges, k * n, (k + 1) * n);
    logOfLeft += StrictMath.log(left.pivot() / lambda);
    for (int i = 0; i < n; i++) {
      double share = left.row()[i] / left.pivot();
      b[i] -= share * left.b();
      pull[i] -= share * pullOfOwn + own * (ridgeRow[i] - share * ridgeRow[k]);
      for (int j = 0; j < n; j++) {
        double other = left.row()[j] / left.pivot();
        h.data[i * n + j] -= share * left.row()[j];
        ridges[i * n + j] +=
            share * other * ridgeRow[k] - share * ridgeRow[j] - other * ridgeRow[i];
      }
    }
    isLogDetKnown = false;
    return left;
  }

  /**
   * Returns the matrices with lambda I, and its inverse, for features that were 0 until now, and
   * without those that are gone.
   *
   * @param theta of the model
   */
  Curvature spread(FeaturePlaces to, double[] theta) {
    Curvature left = copy();
    left.eliminate(to, theta);
    Curvature wide = new Curvature(to.among(), lambda, left.hasLost());
    wide.logOfLeft = left.logOfLeft;
    wide.offset = left.offset;
    wide.pull = left.hasLost() ? to.spread(left.pull) : wide.pull;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n && !to.isGone(i); j++) {
        if (!to.isGone(j)) {
          wide.h.unsafe_set(to.of(i), to.of(j), left.h.unsafe_get(i, j));
          wide.inverse.unsafe_set(to.of(i), to.of(j), inverse.unsafe_get(i, j));
          if (left.hasLost()) {
            wide.ridges[to.of(i) * to.among() + to.of(j)] = left.ridges[i * n + j];
          }
        }
      }
    }
    return wide;
  }

  Curvature copy() {
    Curvature copy = new Curvature(n, lambda);
    copy.h.setTo(h);
    copy.inverse.setTo(inverse);
    copy.ridges = ridges.clone();
    copy.logOfLeft = logOfLeft;
    copy.pull = pull.clone();
    copy.offset = offset;
    return copy;
  }

  /** Returns the bytes of n features of which none left. */
  static long byteLength(int n) {
    return 2L * n * n * Double.BYTES;
  }

  /** Writes or reads H and H^-1 by rows, 2 n^2 doubles, then what features left, if any did. */
  void layout(Layout bytes) throws LayoutException {
    bytes.f64s(h.data, 0, n * n);
    bytes.f64s(inverse.data, 0, n * n);
    if (hasLost()) {
      logOfLeft = bytes.f64(logOfLeft);
      offset = bytes.f64(offset);
      bytes.f64s(pull);
      bytes.f64s(ridges, 0, n * n);
    }
    isLogDetKnown = isLogDetKnown && !bytes.isReading();
  }
}
