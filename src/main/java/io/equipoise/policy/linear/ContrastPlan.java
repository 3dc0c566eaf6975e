package io.equipoise.policy.linear;

import io.equipoise.event.Sha256;
import io.equipoise.policy.constraint.ContrastBoundary;
import io.equipoise.policy.constraint.DeltaShares;
import java.util.List;

/**
 * Determines which contrasts of a model are bounded by intervals of their own, and how delta is
 * shared between them and the ellipsoid that bounds what remains. Each contrast has the {@linkplain
 * DeltaShares#share share} of its model's place times that of its own place in the model, which no
 * version of the spec changes. Immutable; two plans are equal if they are the same.
 */
public final class ContrastPlan {
  private final List<FeatureVector> known;
  private final Terms terms;
  private final Radius radius;

  /** A hash of all that running ends depend on. */
  final long meaning;

  private final boolean isCut;

  /** How many models the spec has. */
  final int models;

  final int most;

  private final double unit;

  /** A size that no contrast's c'theta exceeds. */
  final double largest;

  /**
   * Carries what the spec requires of the intervals.
   *
   * @param delta the probability that any of them ever misses
   * @param tau threshold as a share of the range of rewards
   * @param low least reward
   * @param span greatest reward minus the least
   * @param scale sub-Gaussian scale as a share of the span, for rewards that may leave the range;
   *     NaN where none does
   * @param isSticky whether an interval never grows again
   * @param limit the most contrasts of a segment
   */
  public record Terms(
      double delta,
      double tau,
      double low,
      double span,
      double scale,
      boolean isSticky,
      int limit) {}

  /**
   * Plans.
   *
   * @param known contrasts of one model, each in its {@linkplain ContrastBlock#canonical form}
   * @param models how many models the spec has
   * @param radius of the ellipsoid at its share of delta
   */
  ContrastPlan(List<FeatureVector> known, int models, Terms terms, Radius radius) {
    this(known, models, terms, radius, 1, terms.span());
  }

  /**
   * Plans for contrasts in other units than the reward's.
   *
   * @param unit size of every entry of a contrast that is not 0
   * @param largest no contrast's c'theta is larger in size
   */
  public ContrastPlan(
      List<FeatureVector> known,
      int models,
      Terms terms,
      Radius radius,
      double unit,
      double largest) {
    this.unit = unit;
    this.largest = largest;
    this.models = models;
    most = Math.max(1, terms.limit() / models);
    this.known = known.size() > most ? List.copyOf(known.subList(0, most)) : List.copyOf(known);
    isCut = known.size() > most || known.size() == terms.limit();
    this.terms = terms;
    this.radius = radius;
    meaning = Sha256.longOf(terms + " " + radius + (unit == 1 ? "" : " unit " + unit));
  }

  public List<FeatureVector> known() {
    return known;
  }

  /** Returns whether there may be more contrasts than are kept. */
  public boolean isCut() {
    return isCut;
  }

  double tau() {
    return terms.tau();
  }

  double span() {
    return terms.span();
  }

  /** Returns the size of a contrast's entries. */
  public double unit() {
    return unit;
  }

  boolean isSticky() {
    return terms.isSticky();
  }

  /** Returns beta of the ellipsoid. */
  public double beta(ContrastModel model, int position) {
    return radius.of(model, position);
  }

  /**
   * Returns the probability with which one side of a contrast may ever miss.
   *
   * @param ofModel the model's share of what all models have
   * @param place of the contrast in its model, from 0
   * @param first how many contrasts the model began with
   */
  double alpha(double ofModel, int place, int first) {
    return alpha(terms.delta(), ofModel, place, first);
  }

  /** Returns alpha of each contrast that a first version knows, at another delta. */
  public double alphaOfFirst(double delta, boolean isShared) {
    double ofModel = isShared ? 1 : DeltaShares.share(0, models);
    return alpha(delta, ofModel, 0, Math.max(1, known.size()));
  }

  private static double alpha(double delta, double ofModel, int place, int first) {
    return (1 - DeltaShares.ELLIPSOID) * delta * ofModel * DeltaShares.share(place, first) / 2;
  }

  /** Returns where a reward lies in the range: 0 at the least, 1 at the greatest. */
  double shareOfRange(double reward) {
    return (reward - terms.low()) / terms.span();
  }

  /**
   * Returns a number that {@link #boundary} exceeds now and later, if its limit does: at least the
   * limit, or 0 where it is not sure. Cheap.
   */
  double floor(double limit, double[] lambdas, double[] penalties, double squares, double alpha) {
    return Double.isNaN(terms.scale())
        ? ContrastBoundary.floor(limit, lambdas, penalties, squares, alpha)
        : 0;
  }

  /**
   * Returns what a weighted sum of noise, as a share of the span, stays below at all times, or a
   * limit where that is less.
   */
  double boundary(
      double limit, double[] lambdas, double[] penalties, double squares, double alpha) {
    return Double.isNaN(terms.scale())
        ? ContrastBoundary.within(limit, lambdas, penalties, squares, alpha)
        : Math.min(limit, ContrastBoundary.ofSubGaussian(lambdas, terms.scale(), squares, alpha));
  }
}
