package io.equipoise.policy.constraint;

import io.equipoise.event.DecisionReason;
import org.jspecify.annotations.Nullable;

/**
 * Collects for one decision of {@link EarnRule} what is known of the candidates, by place, and the
 * choice. The status of a candidate follows from its effects: fair if none can exceed its limit,
 * unfair if one is known to, else open. Describe each candidate before its effects. Belongs to one
 * decision and its thread: candidates and effects fill the arrays by place, forecasts and flags are
 * derived while they come, and the fields from {@code chosen} on are the result.
 */
public final class EarnRound {
  /** No place. */
  public static final int NONE = -1;

  /** The half-width, in tau, from which an effect near tau is set aside. */
  private static final double NARROW = 1.2;

  /** How far the middle of such an effect is from 0, in tau. */
  private static final double NEAR = .5;

  /** A target whose upper ends are at most this, in tau, is not changed any more. */
  private static final double ALMOST = 1.4;

  /** The upper end, in tau, from which the person's own level may count for a fair effect. */
  private static final double KNOWN = 3;

  private static final double LEAST_MEAN = .005;
  private static final double GREATEST_MEAN = .98;

  /** A mean below this share of the greatest one is taken to be an underestimate. */
  private static final double MEAN_SHARE = .3;

  /** The rewards that an open arm lacks at least. */
  private static final double FEWEST = 50;

  private static final double LEAST_LEFT = .05;

  /**
   * Holds what the forecast of certificates takes from a spec.
   *
   * @param low least reward
   * @param span greatest less least reward
   * @param delta of all intervals
   * @param contrasts among which delta is divided
   */
  public record Terms(double low, double span, double delta, double contrasts) {
    /**
     * Returns ln(1/alpha) + 1, alpha of one side of a contrast of the first version
     * (docs/math/weighted-sums.md#delta-over-versions).
     */
    double log() {
      double ofFirst = (1 - DeltaShares.ELLIPSOID) * DeltaShares.share(0, 1) * delta;
      return StrictMath.log(2 * contrasts / ofFirst) + 1;
    }
  }

  final int size;
  final int[] arm;
  final boolean[] isKept;
  final boolean[] isAllowed;
  final double[] mean;
  final double[] reach;

  /**
   * The scores that rank the candidates: of open ones as for a person whose levels nobody knows.
   */
  final double[] blind;

  /** The same without what the index adds to the mean. */
  final double[] paid;

  final double[] index;

  /**
   * Forecast of the decisions that an open candidate lacks by its rewards and its interval;
   * infinity where those that wait for their rewards are enough.
   */
  final double[] left;

  /** The same by its plays alone, as it compares with a candidate without any. */
  final double[] least;

  /** Forecast of those from nothing. */
  final double[] whole;

  private final EarnState state;
  private final Terms terms;
  private final double log;

  /** Nothing has come back yet, so that predictions and weights are those of an empty model. */
  final boolean isWaiting;

  /** No mean is taken to be less. */
  private final double leastMean;

  private final double[] apart;
  private final double[] weight;
  private final double[] variance;
  private final double[] tau;
  private final double[] worst;
  private final double[] widest;
  private final boolean[] isUnfair;
  private final boolean[] isAside;
  private final boolean[] isOpen;
  private boolean isAnyAllowed;
  private boolean isAnyFair;
  private boolean isAnyForward;
  private double certain = Double.NEGATIVE_INFINITY;
  int explorable;

  int chosen = NONE;
  final boolean[] isTried;
  boolean isExplored;
  @Nullable DecisionReason reason;

  /** Starts with candidates that have no effects and that the rule does not choose from. */
  public EarnRound(int size, Terms terms, EarnState state) {
    this.size = size;
    this.terms = terms;
    this.state = state;
    log = terms.log();
    isWaiting = state.isWaiting();
    leastMean = terms.low + MEAN_SHARE * (state.greatestMean() - terms.low);
    arm = new int[size];
    isKept = new boolean[size];
    isAllowed = new boolean[size];
    mean = new double[size];
    reach = new double[size];
    blind = new double[size];
    paid = new double[size];
    index = new double[size];
    left = new double[size];
    least = new double[size];
    whole = new double[size];
    apart = new double[size];
    weight = new double[size];
    variance = new double[size];
    tau = new double[size];
    worst = new double[size];
    widest = new double[size];
    isUnfair = new boolean[size];
    isAside = new boolean[size];
    isOpen = new boolean[size];
    isTried = new boolean[size];
  }

  /**
   * Describes a candidate for this person, and notes it for its arm.
   *
   * @param position of its arm
   * @param isKnown whether the arm keeps this position, so that something is remembered of it
   * @param prediction of its mean reward
   * @param bonus what its index adds to that
   */
  public void candidate(int place, int position, boolean isKnown, double prediction, double bonus) {
    arm[place] = position;
    isKept[place] = isKnown;
    mean[place] = prediction;
    reach[place] = bonus;
    paid[place] = prediction;
    index[place] = prediction + bonus;
    if (isKnown) {
      state.note(position, prediction, bonus);
      mean[place] = state.mean(position);
      reach[place] = state.bonus(position);
    }
    double p = (Math.max(mean[place], leastMean) - terms.low) / terms.span;
    p = isWaiting ? .5 : Math.max(LEAST_MEAN, Math.min(GREATEST_MEAN, p));
    variance[place] = 1.07 * p * (1 - p);
    tau[place] = Double.POSITIVE_INFINITY;
  }

  /**
   * Adds what a person of another level would get more; all of them together make the index blind.
   *
   * @param more of the same candidate
   * @param share of the people who have that level
   */
  public void other(int place, double more, double share) {
    if (Double.isFinite(more)) {
      apart[place] += share * more;
      weight[place] += share;
    }
  }

  /**
   * Adds an effect of a candidate.
   *
   * @param lower end of its interval
   * @param limit tau
   * @return whether it is undecided, and its interval the widest of those so far
   */
  public boolean effect(int place, double lower, double upper, double limit) {
    double half = (upper - lower) / 2;
    double middle = Math.abs(upper + lower) / 2;
    double greatest = Math.max(-lower, upper);
    isUnfair[place] |= Math.max(lower, -upper) > limit;
    tau[place] = Math.min(tau[place], limit);
    worst[place] = Math.max(worst[place], greatest / limit);
    if (greatest <= limit) {
      return false;
    }
    isOpen[place] = true;
    isAside[place] |= half <= NARROW * limit && middle > NEAR * limit;
    lack(place, half / terms.span, middle / terms.span, limit / terms.span);
    boolean isWidest = half / limit > widest[place];
    widest[place] = isWidest ? half / limit : widest[place];
    return isWidest;
  }

  /** Adds an effect that no data bound, at a limit. */
  public void unknownEffect(int place, double limit) {
    isOpen[place] = true;
    worst[place] = Double.POSITIVE_INFINITY;
    tau[place] = Math.min(tau[place], limit);
    lack(place, 1, 0, limit / terms.span);
  }

  /**
   * Forecasts the decisions until an interval lies within its limit, all as shares of the range.
   */
  private void lack(int place, double half, double middle, double limit) {
    double effect = half < .9 ? Math.max(0, middle - half / 2) : 0;
    double room = Math.max(limit - effect, limit / 5);
    long played = isKept[place] ? state.played(arm[place]) : 0;
    long waiting = isKept[place] ? state.waiting(arm[place]) : 0;
    double known = (played - waiting) * state.information;
    double needed = information(place, room);
    least[place] = Math.max(least[place], still(needed, played * state.information));
    if (known > FEWEST && half < .7) {
      needed = Math.max(needed, known * (half / room) * (half / room));
    }
    left[place] = Math.max(left[place], still(needed, known));
    whole[place] = Math.max(whole[place], information(place, limit) / state.information);
  }

  private double still(double needed, double known) {
    return Math.max(FEWEST, Math.max(needed - known, LEAST_LEFT * needed) / state.information);
  }

  private double information(int place, double room) {
    double noise = Math.sqrt(variance[place]) * (Math.sqrt(2 * log) + .67);
    double root = (noise + Math.sqrt(noise * noise + 4 * room * log / 3)) / (2 * room);
    return root * root;
  }

  /** Lets the rule choose a candidate, as certified for this person or admitted by a screen. */
  public void allow(int place) {
    isAllowed[place] = true;
    isAnyAllowed = true;
    certain = Math.max(certain, mean[place] - reach[place]);
  }

  /** Compares the candidates, once all are described; arms wait for their rewards if they may. */
  void compare(boolean mayWait) {
    for (int place = 0; place < size; place++) {
      isOpen[place] &= !isUnfair[place];
      explorable += isUnfair[place] ? 0 : 1;
      isAnyFair |= isAllowed[place] && worst[place] <= 1;
      if (mayWait && isKept[place] && left[place] <= state.waiting(arm[place])) {
        left[place] = Double.POSITIVE_INFINITY;
      }
      isAnyForward |= isForward(place);
      double away = isOpen[place] ? apart[place] : 0;
      if (worst[place] <= KNOWN) {
        double honest = tau[place] * weight[place];
        away = Math.signum(away) * Math.max(0, Math.abs(away) - honest);
      }
      paid[place] += away;
      blind[place] = index[place] + away;
    }
  }

  boolean isAnyAllowed() {
    return isAnyAllowed;
  }

  /** Returns whether the rule may choose one that is fair to all people, not only admitted. */
  boolean isAnyFair() {
    return isAnyFair;
  }

  boolean isUnfair(int place) {
    return isUnfair[place];
  }

  /** Returns whether a candidate is almost certified, and not set aside. */
  boolean isAlmostFair(int place) {
    return worst[place] <= ALMOST && !isAside[place];
  }

  private boolean isForward(int place) {
    return isOpen[place] && !isAside[place] && Double.isFinite(left[place]);
  }

  /**
   * Returns whether a candidate can be the target: open, and one that is aside or that waits for
   * enough rewards only where all open ones are such.
   */
  boolean isWanted(int place) {
    return isForward(place) || (isOpen[place] && !isAnyForward);
  }

  /** Returns whether a candidate may pay more than one that the rule may choose. */
  boolean mayPayMore(int place) {
    return mean[place] + reach[place] > certain;
  }

  /** Returns whether the rule may not choose a candidate that is neither fair nor unfair. */
  boolean isTriable(int place) {
    return !isAllowed[place] && !isUnfair[place];
  }

  /**
   * Returns the best of those that are not unfair.
   *
   * @param withAside whether those set aside take part although there are others
   */
  int best(double[] by, boolean withAside) {
    int best = NONE;
    boolean isBestAside = true;
    for (int place = 0; place < size; place++) {
      if (!isUnfair[place]) {
        boolean isAsideHere = !withAside && isOpen[place] && isAside[place];
        boolean isBetter =
            best == NONE
                || (isAsideHere == isBestAside ? by[place] > by[best] + Scan.TIE : isBestAside);
        best = isBetter ? place : best;
        isBestAside = isBetter ? isAsideHere : isBestAside;
      }
    }
    return best;
  }

  /** Returns the place that is to be played. */
  public int chosen() {
    return chosen;
  }

  /** Returns whether that is an exploration. */
  public boolean isExplored() {
    return isExplored;
  }

  /** Returns why it is played; the rule's own reason where that is null. */
  public @Nullable DecisionReason reason() {
    return reason;
  }
}
