package io.equipoise.policy.logistic;

import io.equipoise.event.AuditInterval;
import org.jspecify.annotations.Nullable;

/**
 * Bounds effects by what is known of differences of log odds. With log odds u and u + l of the two
 * people of a comparison the effect is f(u) - f(u + l), with f of the {@link EffectScale}.
 */
interface OddsBounds {
  /** Returns the bound of a comparison of a request; null where nothing is kept of it. */
  @Nullable Bound of(RequestPoints points, int candidate, int constraint, int alternative);

  /**
   * Brings what is kept of a comparison up to date, as {@link #of} does: an interval that never
   * grows again is cut whenever it is asked for.
   */
  default void refresh(RequestPoints points, int candidate, int constraint, int alternative) {
    of(points, candidate, constraint, alternative);
  }

  /**
   * Bounds an effect, factual minus counterfactual.
   *
   * @param interval CONTRAST or PAIRS
   * @param information N of a contrast; 0 where the weighted sum says nothing yet, and of pairs
   * @param imbalance what weights out of balance add to each side, about, in units of the reward
   */
  record Bound(
      AuditInterval interval, double lower, double upper, double information, double imbalance) {
    /**
     * Returns the bound from the log odds.
     *
     * @param here range of u
     * @param there range of u + l
     * @param least lower end of l
     * @param most upper end of l
     */
    static Bound of(
        AuditInterval interval,
        OddsRange here,
        OddsRange there,
        double least,
        double most,
        double information,
        double imbalance,
        EffectScale of) {
      if (of == EffectScale.LOG_ODDS) {
        return new Bound(
            interval,
            Math.max(-most, here.low - there.high),
            Math.min(-least, here.high - there.low),
            information,
            imbalance);
      }
      double lower = Math.max(-here.greatest(most), -there.mirrored().greatest(most));
      double upper = Math.min(here.mirrored().greatest(-least), there.greatest(-least));
      return new Bound(interval, lower, upper, information, imbalance);
    }

    /** Returns an interval cut by this one; null where nothing would be left. */
    @Nullable OddsInterval cut(OddsInterval interval) {
      double low = Math.max(lower, interval.lower());
      double high = Math.min(upper, interval.upper());
      return low <= high ? new OddsInterval(interval.estimate(), low, high) : null;
    }

    /** Returns whether an end of an interval that was {@link #cut} is the weighted sum's. */
    boolean isEndOf(OddsInterval interval) {
      return information > 0 && (lower == interval.lower() || upper == interval.upper());
    }
  }

  /** A range of log odds, with finite ends. */
  record OddsRange(double low, double high) {
    OddsRange mirrored() {
      return new OddsRange(-high, -low);
    }

    /**
     * Returns the greatest g(u + l) - g(u) in the range: at one of its ends, or at -l/2 where the
     * size is greatest. An infinite l stands for an unknown one.
     */
    double greatest(double l) {
      double atEnds = Math.max(step(low, l), step(high, l));
      double middle = -l / 2;
      return low < middle && middle < high ? Math.max(atEnds, step(middle, l)) : atEnds;
    }

    private static double step(double u, double l) {
      return Logistic.mean(u + l) - Logistic.mean(u);
    }
  }
}
