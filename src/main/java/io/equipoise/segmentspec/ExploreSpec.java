package io.equipoise.segmentspec;

/**
 * The share of decisions that are drawn uniformly, so that the log can evaluate other policies.
 *
 * @param share in [0, 1]
 * @param overAll whether all arms are drawn from, else only those that are certified fair
 */
public record ExploreSpec(double share, boolean overAll) {
  /** Never explores. */
  public static final ExploreSpec NEVER = new ExploreSpec(0, true);
}
