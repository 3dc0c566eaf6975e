package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.CertifyFirst;

/**
 * Plays, for a share of the decisions, another candidate instead of the rule's: so that the log can
 * evaluate other policies, or so that candidates get certified.
 *
 * @param share of the decisions, in [0, 1]
 * @param budget of {@link Over#CERTIFY_FIRST}: decisions on a target while some is certified
 * @param floor of {@link Over#CERTIFY_FIRST}: chance of any other candidate
 */
public record Explore(double share, Over over, int budget, double floor) {
  /** Never explores. */
  public static final Explore NEVER = new Explore(0, Over.ALL);

  /** What is drawn from. */
  public enum Over {
    /** The candidates that the hard constraint certifies; where there are none, none is drawn. */
    FAIR_SET,
    /** All candidates, whatever their effect. */
    ALL,
    /** One target at a time, see {@link CertifyFirst}. */
    CERTIFY_FIRST
  }

  /** Draws uniformly. */
  public Explore(double share, Over over) {
    this(share, over, 0, 0);
  }

  public Explore {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share " + share + " must be in [0, 1]");
    }
    if (!(floor >= 0 && floor <= 1 && budget >= 0)) {
      throw new IllegalArgumentException("budget " + budget + ", floor " + floor);
    }
  }
}
