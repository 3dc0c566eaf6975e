package io.equipoise.policy.logistic;

import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.linear.Contrast;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Forecasts the features of an arm's people before any of them came: E[x x'] by its eigenvectors,
 * so that H = lambda I + h E[x x'] is inverted at any information h, the number of rewards times
 * g'. People have the stated shares of the attribute's levels and are uniform otherwise. Immutable.
 */
final class ExpectedDesign {
  /** People that stand for all; each with every level of the attribute. */
  private static final int PEOPLE = 256;

  /** Eigenvalues below this share of the greatest are 0 but for rounding. */
  private static final double ZERO = 1e-9;

  private static final int HALVINGS = 60;

  private final double lambda;

  /** The information h from which on the weights of the difference are not 0. */
  final double weightedFrom;

  private final double[] eigenvalues;

  /** By eigenvector: E[x], and the squares of x, of xc, of both and of the difference. */
  private final double[] mean;

  private final double[] meanOfOne;
  private final double[] meanOfOther;
  private final double[] squaresOfOne;
  private final double[] squaresOfOther;
  private final double[] products;
  private final double[] squaresOfDifference;
  private final double[] ofOtherArm;

  /** How many kinds of people there are of one level; not more than were drawn. */
  final int kinds;

  /**
   * Measures the widths of the two people of a comparison under H.
   *
   * @param ofOne x'H^-1x, averaged over people
   * @param ofOther the same of the counterfactual
   * @param product x'H^-1xc
   * @param apartOfOne standard deviation of x'theta that people do not share
   * @param ridgeShare lambda |H^-1c|^2 / c'H^-1c, c the difference
   * @param drawn the share of the log odds that the ridge takes from the estimate
   * @param logDeterminant ln det H / lambda^d
   */
  record Widths(
      double ofOne,
      double ofOther,
      double product,
      double apartOfOne,
      double apartOfOther,
      double ridgeShare,
      double drawn,
      double logDeterminant) {
    /** Returns the inverse of the covariance of the two log odds, times a factor. */
    DMatrixRMaj inverse(double factor) {
      double determinant = ofOne * ofOther - product * product;
      double by = factor / determinant;
      return new DMatrixRMaj(
          new double[][] {
            {by * ofOther, -by * product},
            {-by * product, by * ofOne}
          });
    }
  }

  /**
   * Draws people.
   *
   * @param lambda the ridge
   * @param variables of people
   * @param shown the variables that features show
   * @param features makes the features of a person with the first arm, or with another one
   */
  ExpectedDesign(
      double lambda,
      Levels levels,
      List<SpecVariable> variables,
      Set<String> shown,
      BiFunction<Profile, Boolean, double[]> features) {
    this.lambda = lambda;
    int size = variables.get(levels.attribute()).disclosedLevels();
    double[][][] rows = new double[size][PEOPLE][];
    double[][] rowsOfOtherArm = new double[PEOPLE][];
    Set<List<Integer>> seen = new HashSet<>();
    double root = root(variables.size());
    for (int i = 0; i < PEOPLE; i++) {
      Profile person = person(variables, i, root);
      seen.add(kind(person, variables, shown, levels.attribute()));
      for (int level = 0; level < size; level++) {
        rows[level][i] = features.apply(person.with(levels.attribute(), level), true);
      }
      int level = i % 2 == 0 ? levels.one() : levels.other();
      rowsOfOtherArm[i] = features.apply(person.with(levels.attribute(), level), false);
    }
    kinds = seen.size();
    int d = rows[0][0].length;
    int[] active = IntStream.range(0, d).filter(place -> isAnywhere(rows, place)).toArray();
    double[][][] other = {rowsOfOtherArm};
    int[] own =
        IntStream.range(0, d)
            .filter(place -> !isAnywhere(rows, place) && isAnywhere(other, place))
            .toArray();
    DMatrixRMaj ofOther = new DMatrixRMaj(own.length, own.length);
    addMoments(rowsOfOtherArm, own, 1, ofOther, new double[own.length]);
    ofOtherArm = Eigen.of(ofOther).values;
    DMatrixRMaj all = new DMatrixRMaj(active.length, active.length);
    double rest = Math.max(0, 1 - levels.oneShare() - levels.otherShare());
    double[] average = new double[active.length];
    for (int level = 0; level < size; level++) {
      double share =
          level == levels.one()
              ? levels.oneShare()
              : level == levels.other() ? levels.otherShare() : rest / Math.max(1, size - 2);
      addMoments(rows[level], active, share, all, average);
    }
    Eigen eigen = Eigen.of(all);
    eigenvalues = eigen.values;
    mean = eigen.project(average);
    int n = eigenvalues.length;
    meanOfOne = new double[n];
    meanOfOther = new double[n];
    squaresOfOne = new double[n];
    squaresOfOther = new double[n];
    products = new double[n];
    squaresOfDifference = new double[n];
    for (int i = 0; i < PEOPLE; i++) {
      double[] factual = eigen.project(of(rows[levels.one()][i], active));
      double[] counterfactual = eigen.project(of(rows[levels.other()][i], active));
      for (int k = 0; k < n; k++) {
        double x = factual[k];
        double xc = counterfactual[k];
        meanOfOne[k] += x / PEOPLE;
        meanOfOther[k] += xc / PEOPLE;
        squaresOfOne[k] += x * x / PEOPLE;
        squaresOfOther[k] += xc * xc / PEOPLE;
        products[k] += x * xc / PEOPLE;
        squaresOfDifference[k] += (x - xc) * (x - xc) / PEOPLE;
      }
    }
    weightedFrom = informationAt(Contrast.GATE);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Eigen(double[] values, double[][] vectors) {
    static Eigen of(DMatrixRMaj matrix) {
      int n = matrix.getNumRows();
      EigenDecomposition_F64<DMatrixRMaj> found = DecompositionFactory_DDRM.eig(n, true, true);
      if (n > 0 && !found.decompose(matrix)) {
        throw new IllegalStateException("no eigenvalues of a matrix of " + n + " features");
      }
      double[] values = new double[n];
      double[][] vectors = new double[n][];
      for (int k = 0; k < n; k++) {
        values[k] = Math.max(0, found.getEigenvalue(k).getReal());
        vectors[k] = found.getEigenVector(k).getData();
      }
      return new Eigen(values, vectors);
    }

    double[] project(double[] x) {
      double[] projected = new double[vectors.length];
      for (int k = 0; k < projected.length; k++) {
        projected[k] = Vectors.dot(vectors[k], x);
      }
      return projected;
    }
  }

  /** Returns people by an additive sequence of low discrepancy, the powers of a root. */
  private static Profile person(List<SpecVariable> variables, int number, double root) {
    int[] levels = new int[variables.size()];
    double[] numbers = new double[levels.length];
    int count = 0;
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = variables.get(place);
      double part = (number + 0.5) * StrictMath.pow(root, -(place + 1.0));
      levels[place] = (int) ((part - Math.floor(part)) * variable.disclosedLevels());
      if (variable.isNumeric()) {
        numbers[count++] = variable.middle(levels[place]);
      }
    }
    return new Profile(levels, Arrays.copyOf(numbers, count));
  }

  /** Returns the root of x^(n+1) = x + 1 above 1. */
  private static double root(int n) {
    double root = 2;
    for (int step = 0; step < HALVINGS; step++) {
      root = StrictMath.pow(1 + root, 1.0 / (n + 1));
    }
    return root;
  }

  private static List<Integer> kind(
      Profile person, List<SpecVariable> variables, Set<String> shown, int attribute) {
    List<Integer> kind = new ArrayList<>();
    for (int place = 0; place < variables.size(); place++) {
      if (place != attribute && shown.contains(variables.get(place).name())) {
        kind.add(person.levels()[place]);
      }
    }
    return kind;
  }

  private static boolean isAnywhere(double[][][] rows, int place) {
    return Arrays.stream(rows).flatMap(Arrays::stream).anyMatch(row -> row[place] != 0);
  }

  private static double[] of(double[] row, int[] places) {
    return Arrays.stream(places).mapToDouble(place -> row[place]).toArray();
  }

  /** Adds x x' and x of rows that have a share of all people. */
  private static void addMoments(
      double[][] rows, int[] places, double share, DMatrixRMaj moments, double[] mean) {
    for (double[] row : rows) {
      double[] x = of(row, places);
      for (int i = 0; i < x.length; i++) {
        mean[i] += share / rows.length * x[i];
        for (int j = 0; x[i] != 0 && j < x.length; j++) {
          moments.add(i, j, share / rows.length * x[i] * x[j]);
        }
      }
    }
  }

  /** Returns |theta|^2 for log odds of 1 for everybody, the least there is. */
  double squaredNorm() {
    double sum = 0;
    for (int k = 0; k < eigenvalues.length; k++) {
      double entry = isZero(k) ? 0 : mean[k] / eigenvalues[k];
      sum += entry * entry;
    }
    return sum;
  }

  /** Returns what H says at an information h. */
  Widths after(double h) {
    double ofOne = 0;
    double ofOther = 0;
    double product = 0;
    double sharedOfOne = 0;
    double sharedOfOther = 0;
    double variance = 0;
    double squares = 0;
    double drawn = 0;
    double logs = 0;
    for (int k = 0; k < eigenvalues.length; k++) {
      double value = lambda + h * eigenvalues[k];
      ofOne += squaresOfOne[k] / value;
      ofOther += squaresOfOther[k] / value;
      product += products[k] / value;
      sharedOfOne += meanOfOne[k] * meanOfOne[k] / value;
      sharedOfOther += meanOfOther[k] * meanOfOther[k] / value;
      variance += squaresOfDifference[k] / value;
      squares += squaresOfDifference[k] / (value * value);
      drawn += isZero(k) ? 0 : lambda * mean[k] * mean[k] / (eigenvalues[k] * value);
      logs += StrictMath.log(value / lambda);
    }
    return new Widths(
        ofOne,
        ofOther,
        product,
        Math.sqrt(Math.max(0, ofOne - sharedOfOne)),
        Math.sqrt(Math.max(0, ofOther - sharedOfOther)),
        variance > 0 ? lambda * squares / variance : 1,
        drawn,
        logs);
  }

  private double informationAt(double ridgeShare) {
    double low = 1e-6;
    double high = 1e12;
    for (int step = 0; step < HALVINGS; step++) {
      double middle = Math.sqrt(low * high);
      boolean isThere = after(middle).ridgeShare() <= ridgeShare;
      low = isThere ? low : middle;
      high = isThere ? middle : high;
    }
    return high;
  }

  /** Returns what another arm adds to ln det H / lambda^d by its own features. */
  double ofOtherArm(double h) {
    double logs = 0;
    for (double value : ofOtherArm) {
      logs += StrictMath.log1p(h * value / lambda);
    }
    return logs;
  }

  private boolean isZero(int k) {
    return eigenvalues[k] < ZERO * Arrays.stream(eigenvalues).max().orElse(0);
  }
}
