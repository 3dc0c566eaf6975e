package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.EffectBounds;
import io.equipoise.policy.constraint.EffectSize;
import io.equipoise.policy.logistic.OddsBounds.Bound;
import io.equipoise.policy.logistic.PolicyParameters.EffectAt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sizes the effects of a request's candidates as a policy checks them, each when it is first asked
 * for. Valid as long as the estimate.
 *
 * <p>An effect is taken by the delta method; for screen and forced-exploration, where at least half
 * of the variance comes from no data, over the ellipsoid of the audit instead: the delta method is
 * blind where g is flat. The delta method's interval is cut by what is known of the log odds. A
 * range over the ellipsoid is a search, so its bounds are what most questions are answered from.
 */
final class LogisticEffects {
  private final ParameterEstimate parameterEstimate;
  private final LogisticRequest request;
  private final RequestPoints points;
  private final double r;
  private final double guardRadius;
  private final EffectScale effects;
  private final boolean isGuarded;
  private final double @Nullable [] tilde;
  private final @Nullable OddsBounds odds;
  final int constraints;

  /** The comparisons that were asked for, by candidate and constraint. */
  private final EffectComparison[][] comparisons;

  private final EffectSize[] sizes;
  private final EffectBounds[] bounds;
  private final EffectBounds[] rough;

  /**
   * Starts with nothing computed.
   *
   * @param r radius of the policy's ellipsoid
   * @param tilde optimistic parameter, where a policy may take effects; null if it has none
   * @param odds what bounds effects besides; null if nothing does
   * @param constraints how many of the request's there are for the policy: all, or none
   */
  LogisticEffects(
      RequestPoints points,
      PolicyParameters parameters,
      double r,
      double @Nullable [] tilde,
      @Nullable OddsBounds odds,
      int constraints) {
    this.points = points;
    parameterEstimate = points.estimate;
    request = points.request;
    this.r = r;
    boolean isElsewhere =
        parameters.effectAt() == EffectAt.TILDE && tilde != parameterEstimate.theta;
    this.tilde = isElsewhere ? tilde : null;
    this.odds = odds;
    this.constraints = constraints;
    effects = parameters.effects();
    isGuarded = parameters.name().hasScreen();
    guardRadius = r / Math.sqrt(parameters.radius().scale());
    int places = request.size() * constraints;
    comparisons = new EffectComparison[places][];
    sizes = new EffectSize[places];
    bounds = new EffectBounds[places];
    rough = new EffectBounds[places];
  }

  double estimate(int candidate, int constraint) {
    double largest = EffectSize.NONE.estimate();
    for (EffectComparison comparison : comparisons(candidate, constraint)) {
      largest = Math.max(largest, Math.abs(comparison.effect()));
    }
    return largest;
  }

  EffectSize size(int candidate, int constraint) {
    int place = candidate * constraints + constraint;
    EffectSize known = sizes[place];
    if (known == null) {
      for (EffectComparison comparison : comparisons(candidate, constraint)) {
        EffectSize size = comparison.size();
        known = known == null ? size : known.orLarger(size);
      }
      known = known == null ? EffectSize.NONE : known;
      sizes[place] = known;
    }
    return known;
  }

  EffectBounds bounds(int candidate, int constraint) {
    return bounds(candidate, constraint, bounds, EffectComparison::bounds);
  }

  /** Returns wider bounds, and brings what is kept of the log odds up to date as well. */
  EffectBounds roughBounds(int candidate, int constraint) {
    return bounds(candidate, constraint, rough, EffectComparison::roughBounds);
  }

  private EffectBounds bounds(
      int candidate,
      int constraint,
      EffectBounds[] kept,
      Function<EffectComparison, EffectBounds> measure) {
    int place = candidate * constraints + constraint;
    EffectBounds known = kept[place];
    if (known == null) {
      for (EffectComparison comparison : comparisons(candidate, constraint)) {
        EffectBounds bounded = measure.apply(comparison);
        known = known == null ? bounded : known.orLarger(bounded);
      }
      known = known == null ? EffectBounds.of(EffectSize.NONE) : known;
      kept[place] = known;
    }
    return known;
  }

  /** Returns the gradient of the effect with the greatest upper end by the delta method. */
  double[] gradient(int candidate, int constraint) {
    EffectComparison[] all = comparisons(candidate, constraint);
    int worst = 0;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; all.length > 1 && i < all.length; i++) {
      double end = all[i].pair.local().interval(r).size().high();
      if (end > high) {
        high = end;
        worst = i;
      }
    }
    return all[worst].pair.gradient();
  }

  private EffectComparison[] comparisons(int candidate, int constraint) {
    int place = candidate * constraints + constraint;
    EffectComparison[] known = comparisons[place];
    if (known == null) {
      boolean[] isHidden = request.candidates().get(candidate).isHidden()[constraint];
      known = new EffectComparison[isHidden.length];
      for (int i = 0; i < known.length; i++) {
        PointPair pair = points.pair(candidate, constraint, i);
        known[i] = new EffectComparison(pair, isHidden[i], candidate, constraint, i);
      }
      comparisons[place] = known;
    }
    return known;
  }

  /** Two people who differ in what is sensitive, given the same. */
  private final class EffectComparison {
    private final PointPair pair;
    private final boolean isHidden;
    private final int candidate;
    private final int constraint;
    private final int alternative;
    private boolean isAsked;
    private @Nullable EffectEllipse ellipse;

    EffectComparison(
        PointPair pair, boolean isHidden, int candidate, int constraint, int alternative) {
      this.pair = pair;
      this.isHidden = isHidden;
      this.candidate = candidate;
      this.constraint = constraint;
      this.alternative = alternative;
    }

    double effect() {
      if (isHidden) {
        return 0;
      }
      return tilde == null
          ? pair.effect()
          : effects.at(Vectors.dot(pair.x.x, pair.x.places, tilde))
              - effects.at(Vectors.dot(pair.xc.x, pair.xc.places, tilde));
    }

    EffectSize size() {
      if (isHidden) {
        return OddsInterval.any(effects.greatest(parameterEstimate.scale())).size();
      }
      if (tilde != null) {
        double effect = effect();
        return EffectSize.of(effect, effect, effect);
      }
      EffectEllipse guard = guard();
      return guard == null ? narrowed(pair.local().interval(r)).size() : guard.interval().size();
    }

    /** Cuts an interval by what is known of the log odds, unless nothing would be left. */
    private OddsInterval narrowed(OddsInterval interval) {
      Bound known = odds == null ? null : odds.of(points, candidate, constraint, alternative);
      OddsInterval cut = known == null ? null : known.cut(interval);
      return cut == null ? interval : cut;
    }

    EffectBounds bounds() {
      if (isHidden || tilde != null) {
        return EffectBounds.of(size());
      }
      EffectEllipse guard = guard();
      if (guard != null) {
        return guard.bounds();
      }
      EffectBounds whole = EffectBounds.of(pair.local().interval(r).size());
      if (odds == null) {
        return whole;
      }
      odds.refresh(points, candidate, constraint, alternative);
      return whole.ofPart();
    }

    EffectBounds roughBounds() {
      EffectEllipse guard = isHidden || tilde != null ? null : guard();
      return guard == null ? bounds() : guard.roughBounds();
    }

    private @Nullable EffectEllipse guard() {
      if (isGuarded && !isAsked) {
        isAsked = true;
        if (pair.isUnsupported()) {
          ellipse = new EffectEllipse(pair, guardRadius);
        }
      }
      return ellipse;
    }
  }
}
