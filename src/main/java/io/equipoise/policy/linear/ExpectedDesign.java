package io.equipoise.policy.linear;

import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.features.Profile;
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
 * so that H = lambda I + h E[x x'] is inverted at any information h, the number of the arm's
 * rewards times g'. Rewards of another arm count too where it has no feature that the own arm
 * lacks; else they say nothing of an effect that differs between arms. People have the stated
 * shares of the attribute's levels and are uniform otherwise. Immutable.
 */
public final class ExpectedDesign {
  /** People that stand for all; each with every level of the attribute. */
  static final int PEOPLE = 256;

  private static final int FEW_PEOPLE = 16;

  /** Eigenvalues below this share of the greatest are 0 but for rounding. */
  private static final double ZERO = 1e-9;

  private static final int HALVINGS = 60;

  /** Information at which people's widths are compared. */
  private static final double TYPICAL = 1000;

  private final double lambda;

  /** The information h from which on the weights of the difference are not 0. */
  public final double weightedFrom;

  private final double[] eigenvalues;

  /** By eigenvector: E[x], and the means of x and of xc. */
  private final double[] mean;

  /** The least theta with log odds of 1 for everybody. */
  private final double[] theta;

  private final double[] meanOfOne;
  private final double[] meanOfOther;
  private final Squares average;
  private final Squares narrowest;
  private final double[] ofOtherArm;

  /** Whether the rewards of other arms say nothing of this one's effect. */
  final boolean isAlone;

  /** Whether those of each other arm say as much of its effect as its own. */
  final boolean isOfAllArms;

  /** How many kinds of people there are of one level; not more than were drawn. */
  public final int kinds;

  /**
   * By eigenvector, what the widths of two people are made of.
   *
   * @param one squares of x
   * @param other squares of xc
   * @param products of both
   * @param difference squares of x - xc
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Squares(double[] one, double[] other, double[] products, double[] difference) {
    static Squares of(double[] x, double[] xc) {
      Squares squares = empty(x.length);
      squares.add(x, xc, 1);
      return squares;
    }

    static Squares empty(int n) {
      return new Squares(new double[n], new double[n], new double[n], new double[n]);
    }

    void add(double[] x, double[] xc, double share) {
      for (int k = 0; k < x.length; k++) {
        one[k] += share * x[k] * x[k];
        other[k] += share * xc[k] * xc[k];
        products[k] += share * x[k] * xc[k];
        difference[k] += share * (x[k] - xc[k]) * (x[k] - xc[k]);
      }
    }
  }

  /**
   * Measures the widths of the two people of a comparison under H.
   *
   * @param ofOne x'H^-1x
   * @param ofOther the same of the counterfactual
   * @param product x'H^-1xc
   * @param apartOfOne standard deviation of x'theta that people do not share
   * @param ofDifference c'H^-1c, c the difference
   * @param ridgeShare lambda |H^-1c|^2 / c'H^-1c
   * @param drawn the share of the log odds that the ridge takes from the estimate
   * @param logDeterminant ln det H / lambda^d
   */
  public record Widths(
      double ofOne,
      double ofOther,
      double product,
      double apartOfOne,
      double apartOfOther,
      double ofDifference,
      double ridgeShare,
      double drawn,
      double logDeterminant) {
    /** Returns the inverse of the covariance of the two log odds. */
    public DMatrixRMaj inverse() {
      double determinant = ofOne * ofOther - product * product;
      return new DMatrixRMaj(
          new double[][] {
            {ofOther / determinant, -product / determinant},
            {-product / determinant, ofOne / determinant}
          });
    }
  }

  /**
   * Draws people.
   *
   * @param lambda the ridge
   * @param variables of people
   * @param shown the variables that features show
   * @param plays of each arm for one of the own arm
   * @param own the arm
   * @param features makes the features of a person with an arm
   */
  ExpectedDesign(
      double lambda,
      Levels levels,
      List<SpecVariable> variables,
      Set<String> shown,
      double[] plays,
      int own,
      BiFunction<Profile, Integer, double[]> features) {
    this.lambda = lambda;
    int size = variables.get(levels.attribute()).disclosedLevels();
    List<Profile> people = people(variables, PEOPLE);
    double[][][] rows = rows(people, levels, size, own, features);
    int d = rows[0][0].length;
    int[] active = IntStream.range(0, d).filter(place -> isAnywhere(rows, place)).toArray();
    DMatrixRMaj all = new DMatrixRMaj(active.length, active.length);
    double[] total = new double[active.length];
    double rest = Math.max(0, 1 - levels.oneShare() - levels.otherShare());
    List<Profile> few = people.subList(0, FEW_PEOPLE);
    double[] ofOtherArms = {};
    int alike = 0;
    for (int arm = 0; arm < plays.length; arm++) {
      double[][][] some = rows(few, levels, size, arm, features);
      boolean isAlike =
          IntStream.range(0, d)
              .allMatch(place -> isAnywhere(rows, place) || !isAnywhere(some, place));
      if (isAlike || ofOtherArms.length == 0) {
        double[][][] ofArm = arm == own ? rows : rows(people, levels, size, arm, features);
        for (int level = 0; isAlike && level < size; level++) {
          double share =
              level == levels.one()
                  ? levels.oneShare()
                  : level == levels.other() ? levels.otherShare() : rest / Math.max(1, size - 2);
          addMoments(ofArm[level], active, plays[arm] * share, all, total);
        }
        ofOtherArms = isAlike ? ofOtherArms : ofOwnFeatures(rows, ofArm, levels);
      }
      alike += isAlike ? 1 : 0;
    }
    isAlone = alike == 1;
    isOfAllArms = alike == plays.length && !isAlone;
    ofOtherArm = ofOtherArms;
    Set<List<Integer>> seen = new HashSet<>();
    people.forEach(person -> seen.add(kind(person, variables, shown, levels.attribute())));
    kinds = seen.size();
    Eigen eigen = Eigen.of(all);
    eigenvalues = eigen.values;
    int n = eigenvalues.length;
    double greatest = Arrays.stream(eigenvalues).max().orElse(0);
    theta = eigen.project(total);
    for (int k = 0; k < n; k++) {
      theta[k] = eigenvalues[k] < ZERO * greatest ? 0 : theta[k] / eigenvalues[k];
    }
    mean = new double[n];
    meanOfOne = new double[n];
    meanOfOther = new double[n];
    average = Squares.empty(n);
    double ofOne = levels.oneShare() / (levels.oneShare() + levels.otherShare());
    Squares known = average;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < PEOPLE; i++) {
      double[] factual = eigen.project(of(rows[levels.one()][i], active));
      double[] counterfactual = eigen.project(of(rows[levels.other()][i], active));
      Squares squares = Squares.of(factual, counterfactual);
      average.add(factual, counterfactual, 1.0 / PEOPLE);
      double width = 0;
      for (int k = 0; k < n; k++) {
        mean[k] += (ofOne * factual[k] + (1 - ofOne) * counterfactual[k]) / PEOPLE;
        meanOfOne[k] += factual[k] / PEOPLE;
        meanOfOther[k] += counterfactual[k] / PEOPLE;
        width += squares.difference[k] / (lambda + TYPICAL * eigenvalues[k]);
      }
      known = width < least ? squares : known;
      least = Math.min(least, width);
    }
    narrowest = known;
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
        projected[k] = dot(vectors[k], x);
      }
      return projected;
    }
  }

  /** Returns people by an additive sequence of low discrepancy, the powers of a root. */
  static List<Profile> people(List<SpecVariable> variables, int count) {
    double root = root(variables.size());
    return IntStream.range(0, count).mapToObj(number -> person(variables, number, root)).toList();
  }

  private static Profile person(List<SpecVariable> variables, int number, double root) {
    int[] levels = new int[variables.size()];
    double[] numbers = new double[levels.length];
    int count = 0;
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = variables.get(place);
      double part = (number + 0.5) * StrictMath.pow(root, -(place + 1.0));
      double along = (part - Math.floor(part)) * variable.disclosedLevels();
      levels[place] = (int) along;
      if (variable.isNumeric()) {
        double low = variable.lowEnd(levels[place]);
        numbers[count++] =
            low + 2 * (along - levels[place]) * (variable.middle(levels[place]) - low);
      }
    }
    return new Profile(levels, Arrays.copyOf(numbers, count));
  }

  /** Returns the features of people with an arm by the level of the attribute. */
  private static double[][][] rows(
      List<Profile> people,
      Levels levels,
      int size,
      int arm,
      BiFunction<Profile, Integer, double[]> features) {
    double[][][] rows = new double[size][people.size()][];
    for (int level = 0; level < size; level++) {
      for (int i = 0; i < people.size(); i++) {
        rows[level][i] = features.apply(people.get(i).with(levels.attribute(), level), arm);
      }
    }
    return rows;
  }

  /** Returns the eigenvalues of E[x x'] of features that another arm has alone. */
  private static double[] ofOwnFeatures(double[][][] rows, double[][][] other, Levels levels) {
    int[] own =
        IntStream.range(0, other[0][0].length)
            .filter(place -> !isAnywhere(rows, place) && isAnywhere(other, place))
            .toArray();
    DMatrixRMaj moments = new DMatrixRMaj(own.length, own.length);
    double[] mean = new double[own.length];
    addMoments(other[levels.one()], own, 0.5, moments, mean);
    addMoments(other[levels.other()], own, 0.5, moments, mean);
    return Eigen.of(moments).values;
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

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** Returns |theta|^2 for log odds of 1 for everybody, the least there is. */
  public double squaredNorm() {
    return dot(theta, theta);
  }

  /** Returns what H says at an information h, of people on average. */
  public Widths after(double h) {
    return widths(h, average);
  }

  /** Returns what H says of the person whose difference it knows best. */
  public Widths ofNarrowest(double h) {
    return widths(h, narrowest);
  }

  private Widths widths(double h, Squares of) {
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
      ofOne += of.one[k] / value;
      ofOther += of.other[k] / value;
      product += of.products[k] / value;
      sharedOfOne += meanOfOne[k] * meanOfOne[k] / value;
      sharedOfOther += meanOfOther[k] * meanOfOther[k] / value;
      variance += of.difference[k] / value;
      squares += of.difference[k] / (value * value);
      drawn += lambda * mean[k] * theta[k] / value;
      logs += StrictMath.log(value / lambda);
    }
    return new Widths(
        ofOne,
        ofOther,
        product,
        Math.sqrt(Math.max(0, ofOne - sharedOfOne)),
        Math.sqrt(Math.max(0, ofOther - sharedOfOther)),
        variance,
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
  public double ofOtherArm(double h) {
    double logs = 0;
    for (double value : ofOtherArm) {
      logs += StrictMath.log1p(h * value / lambda);
    }
    return logs;
  }
}
