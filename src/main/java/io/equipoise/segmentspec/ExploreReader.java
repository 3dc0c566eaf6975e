package io.equipoise.segmentspec;

import io.equipoise.segmentspec.ExploreSpec.Over;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy.explore}: the word of a goal, or a mapping. */
public final class ExploreReader {
  private ExploreReader() {}

  /**
   * Returns null after a fault.
   *
   * @param policy the section with the key
   * @param instead of a fair set, the allowed value of {@code over} for a policy that has none, and
   *     why; else null
   */
  public static @Nullable ExploreSpec read(Section policy, @Nullable String instead) {
    return read(policy, instead, false);
  }

  /**
   * Returns null after a fault.
   *
   * @param policy the section with the key
   * @param instead of a fair set, the allowed value of {@code over} for a policy that has none, and
   *     why; else null. Such a policy must give {@code over}
   * @param isSelective whether the policy leaves out what is not certified, and so can have a goal;
   *     it must give {@code over} too, because both sets of arms make sense
   */
  public static @Nullable ExploreSpec read(
      Section policy, @Nullable String instead, boolean isSelective) {
    Field given = policy.get("explore");
    if (given == null) {
      return ExploreSpec.NEVER;
    }
    if (given.isScalar() && isSelective) {
      Over goal = policy.word("explore", Over.class, null);
      return goal == null || !isAllowed(goal, given, instead, isSelective)
          ? null
          : ExploreSpec.toward(goal);
    }
    Section explore = policy.section("explore");
    if (explore == null) {
      return null;
    }
    if ((isSelective || instead != null) && explore.get("over") == null) {
      explore.require(
          "over",
          "over is required here: "
              + (instead == null ? "all or fair-set" : instead)
              + (isSelective ? "; or one of certify, balanced, earn without a share" : ""));
      return null;
    }
    Double share = explore.optionalNumber("share");
    Over over = explore.word("over", Over.class, Over.FAIR_SET);
    long budget = explore.whole("budget", -1);
    if (over == null || !isAllowed(over, given, instead, isSelective)) {
      return null;
    }
    if (over.isGoal() && explore.get("share") != null) {
      explore.field().fault("over alone: " + over.wire() + " chooses its shares itself");
    } else if (!over.isGoal() && explore.get("budget") != null) {
      explore.field().fault("share and over alone: a budget is of certify, balanced and earn");
    } else if (!over.isGoal()) {
      explore.require("share", "the share of decisions that are drawn, between 0 and 1");
    }
    if (!explore.isSound()) {
      return null;
    }
    return over.isGoal()
        ? new ExploreSpec(1, over, budget < 0 ? null : (Integer) (int) budget)
        : share == null ? null : new ExploreSpec(share, over);
  }

  private static boolean isAllowed(
      Over over, Field given, @Nullable String instead, boolean isSelective) {
    if (over.isGoal() && !isSelective) {
      given.fault(
          "a share: only policies with a hard constraint or a screen explore until arms"
              + " are certified");
      return false;
    }
    if (over == Over.FAIR_SET && instead != null) {
      given.fault("over: " + instead);
      return false;
    }
    return true;
  }
}
