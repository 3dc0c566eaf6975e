package io.equipoise.policy.linear;

/**
 * Plays, for a share of the decisions, a candidate drawn uniformly instead of the rule's, so that
 * the log can evaluate other policies.
 *
 * @param share of the decisions, in [0, 1]
 */
public record Explore(double share, Over over) {
  /** Never explores. */
  public static final Explore NEVER = new Explore(0, Over.ALL);

  /** What is drawn from. */
  public enum Over {
    /** The candidates that the hard constraint certifies; where there are none, none is drawn. */
    FAIR_SET,
    /** All candidates, whatever their effect. */
    ALL
  }

  public Explore {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share " + share + " must be in [0, 1]");
    }
  }
}
