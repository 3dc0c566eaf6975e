package io.equipoise.segmentspec;

/**
 * The share of decisions that are explored: so that the log can evaluate other policies, or so that
 * arms get certified.
 *
 * @param share in [0, 1]; with {@link Over#CERTIFY_FIRST} the chance of a target
 * @param over what is explored
 * @param budget decisions that try a target while some arm is certified; 0 but for {@link
 *     Over#CERTIFY_FIRST}
 * @param floor chance of any other arm while some arm is certified; 0 but for {@link
 *     Over#CERTIFY_FIRST}
 */
public record ExploreSpec(double share, Over over, int budget, double floor) {
  /** Never explores. */
  public static final ExploreSpec NEVER = new ExploreSpec(0, Over.ALL);

  /** What is explored. */
  public enum Over implements Word {
    /** The arms that are certified at that moment. */
    FAIR_SET,
    /** All arms. */
    ALL,
    /** One arm at a time until it is certified or known to be unfair. */
    CERTIFY_FIRST
  }

  public ExploreSpec {
    if (!(share >= 0 && share <= 1 && floor >= 0 && floor <= 1 && budget >= 0)) {
      throw new IllegalArgumentException(
          "share " + share + " and floor " + floor + " must be in [0, 1], budget " + budget);
    }
  }

  /** Draws uniformly. */
  public ExploreSpec(double share, Over over) {
    this(share, over, 0, 0);
  }

  /** Says whether single arms are explored until they are certified. */
  public boolean certifiesFirst() {
    return share > 0 && over == Over.CERTIFY_FIRST;
  }

  /** Says whether arms are drawn uniformly from all. */
  public boolean overAll() {
    return over == Over.ALL;
  }
}
