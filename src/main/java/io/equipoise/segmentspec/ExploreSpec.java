package io.equipoise.segmentspec;

import org.jspecify.annotations.Nullable;

/**
 * Sets the share of decisions that explore, so that the log can evaluate other policies or arms get
 * certified.
 *
 * @param share in [0, 1]; 1 where {@link Over} is a goal, which chooses its shares itself
 * @param over the explored arms, or the goal
 * @param budget of a goal: decisions that try an arm without a certificate while another has one;
 *     null for allowances by arm
 */
public record ExploreSpec(double share, Over over, @Nullable Integer budget) {
  /** Never explores. */
  public static final ExploreSpec NEVER = new ExploreSpec(0, Over.ALL);

  /** Names the explored arms, or the goal of exploration. */
  public enum Over implements Word {
    /** The arms that are certified at that moment. */
    FAIR_SET,
    ALL,
    /** One arm after the other until it is certified, for most people. */
    CERTIFY,
    /** As {@link #CERTIFY}, but for fewer people if the certificate is far away. */
    BALANCED,
    /** As {@link #CERTIFY}, but only for people for whom it costs almost nothing. */
    EARN;

    /** Returns whether it is a goal: arms are explored until they are certified. */
    public boolean isGoal() {
      return this == CERTIFY || this == BALANCED || this == EARN;
    }
  }

  public ExploreSpec {
    if (!(share >= 0 && share <= 1) || (budget != null && budget < 0)) {
      throw new IllegalArgumentException(
          "share " + share + " must be in [0, 1], budget " + budget + " at least 0");
    }
  }

  /** Draws uniformly. */
  public ExploreSpec(double share, Over over) {
    this(share, over, null);
  }

  /** Returns an exploration that chooses its shares itself, with allowances by arm. */
  public static ExploreSpec toward(Over goal) {
    return new ExploreSpec(1, goal);
  }

  /** Returns whether arms are explored until they are certified. */
  public boolean earns() {
    return over.isGoal();
  }

  /** Returns whether so many tries spend the budget of a goal; never without a budget. */
  public boolean isSpent(long tried) {
    return budget != null && tried >= budget;
  }

  /** Returns whether arms are drawn uniformly from all. */
  public boolean overAll() {
    return over == Over.ALL;
  }
}
