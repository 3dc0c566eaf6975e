package io.equipoise.policy.constraint;

import io.equipoise.event.DecisionReason;
import org.jspecify.annotations.Nullable;

/**
 * One decision of {@link CertifyFirst}: what is known of the candidates, by place, and what came
 * out. The status of a candidate follows from its effects: fair if none can exceed its limit,
 * unfair if one is known to, else open. Mutable; belongs to one decision.
 */
public final class CertifyRound {
  /** No place. */
  public static final int NONE = -1;

  /** The half-width, in tau, from which an effect near tau is set aside. */
  private static final double NARROW = 1.2;

  /** How far the middle of such an effect is from 0, in tau. */
  private static final double NEAR = .5;

  /** A target whose upper ends are at most this, in tau, is not changed any more. */
  private static final double ALMOST = 1.4;

  final int size;
  final int[] arm;
  final boolean[] isKept;
  final boolean[] isEligible;
  final double[] mean;
  final double[] width;
  final double[] reach;
  final long[] played;
  private final boolean[] isAboveLimit;
  private final boolean[] isUnfair;
  private final boolean[] isAside;
  private final boolean[] isAboveAlmost;
  private final double[] widest;
  private boolean isAnyAllowed;
  private double certain = Double.NEGATIVE_INFINITY;
  private boolean isAnyAhead;

  int chosen = NONE;
  int tried = NONE;
  boolean isExplored;
  @Nullable DecisionReason reason;

  /** Starts with candidates that have no effects and that the rule does not choose from. */
  public CertifyRound(int size) {
    this.size = size;
    arm = new int[size];
    isKept = new boolean[size];
    isEligible = new boolean[size];
    mean = new double[size];
    width = new double[size];
    reach = new double[size];
    played = new long[size];
    isAboveLimit = new boolean[size];
    isUnfair = new boolean[size];
    isAside = new boolean[size];
    isAboveAlmost = new boolean[size];
    widest = new double[size];
  }

  /**
   * Describes a candidate for this person.
   *
   * @param position of its arm
   * @param isKnown whether the arm keeps this position, so that something is remembered of it
   * @param prediction of its mean reward
   * @param predictionWidth what its running mean is kept of
   * @param factor of that mean, which gives what the prediction may be off by
   */
  public void candidate(
      int place,
      int position,
      boolean isKnown,
      double prediction,
      double predictionWidth,
      double factor) {
    arm[place] = position;
    isKept[place] = isKnown;
    mean[place] = prediction;
    width[place] = predictionWidth;
    reach[place] = factor;
  }

  /**
   * Adds an effect of a candidate.
   *
   * @param lower end of its interval
   * @param tau its limit
   * @return whether it is undecided, and its interval the widest of those so far
   */
  public boolean effect(int place, double lower, double upper, double tau) {
    double half = (upper - lower) / 2;
    double middle = Math.abs(upper + lower) / 2;
    double worst = Math.max(-lower, upper);
    isUnfair[place] |= Math.max(lower, -upper) > tau;
    isAboveAlmost[place] |= !(worst <= ALMOST * tau);
    if (worst <= tau) {
      return false;
    }
    isAboveLimit[place] = true;
    isAside[place] |= half <= NARROW * tau && middle > NEAR * tau;
    boolean isWidest = half / tau > widest[place];
    widest[place] = isWidest ? half / tau : widest[place];
    return isWidest;
  }

  /** Adds an effect that no data bound. */
  public void unknownEffect(int place) {
    isAboveLimit[place] = true;
    isAboveAlmost[place] = true;
  }

  /** Lets the rule choose a candidate, as one that is certified for this person. */
  public void allow(int place) {
    isEligible[place] = true;
    isAnyAllowed = true;
  }

  boolean isAnyAllowed() {
    return isAnyAllowed;
  }

  boolean isUnfair(int place) {
    return isUnfair[place];
  }

  boolean isAlmostFair(int place) {
    return !isAboveAlmost[place];
  }

  private boolean isOpen(int place) {
    return isAboveLimit[place] && !isUnfair[place];
  }

  /** Compares the candidates, once all are described. */
  void compare() {
    double expected = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < size; place++) {
      if (isEligible[place]) {
        expected = isAboveLimit[place] ? expected : Math.max(expected, mean[place]);
        certain = Math.max(certain, mean[place] - reach[place]);
      }
    }
    for (int place = 0; place < size; place++) {
      isAnyAhead |= isOpen(place) && !isAside[place] && mean[place] > expected;
    }
  }

  /**
   * Says whether a candidate can be the target: it is open and may pay more than the best that the
   * rule may choose. A candidate that is set aside waits only for open ones with a greater mean
   * than the fair ones that the rule may choose: its estimate may be wrong, and waiting does not
   * correct it.
   */
  boolean isWanted(int place) {
    return isOpen(place) && mean[place] + reach[place] > certain && !(isAside[place] && isAnyAhead);
  }

  /** Returns the place that is to be played. */
  public int chosen() {
    return chosen;
  }

  /** Says whether that is an exploration. */
  public boolean isExplored() {
    return isExplored;
  }

  /** Returns why it is played; the rule's own reason where that is null. */
  public @Nullable DecisionReason reason() {
    return reason;
  }
}
