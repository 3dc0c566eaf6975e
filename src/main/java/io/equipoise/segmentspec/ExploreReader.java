package io.equipoise.segmentspec;

import io.equipoise.segmentspec.ExploreSpec.Over;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy.explore}. */
public final class ExploreReader {
  private static final int DEFAULT_BUDGET = 4000;
  private static final double DEFAULT_FLOOR = 0.01;

  private ExploreReader() {}

  /**
   * Returns null after a fault.
   *
   * @param instead of a fair set, what is allowed to a policy that has none, and why; else null
   */
  public static @Nullable ExploreSpec read(@Nullable Field field, @Nullable String instead) {
    return read(field, instead, false);
  }

  /**
   * Returns null after a fault.
   *
   * @param instead of a fair set, what is allowed to a policy that has none, and why; else null
   * @param certifies whether the policy explores target arms; that is its default then
   */
  public static @Nullable ExploreSpec read(
      @Nullable Field field, @Nullable String instead, boolean certifies) {
    if (field == null) {
      return ExploreSpec.NEVER;
    }
    Section explore = Section.of(field, "share", "over", "budget", "floor");
    Field shareField = explore.require("share", "the share of decisions, a probability");
    Double share = shareField == null ? null : shareField.probability();
    Field overField = explore.get("over");
    Over plain = certifies ? Over.CERTIFY_FIRST : Over.FAIR_SET;
    Over over = overField == null ? plain : overField.oneOf(Over.values(), Over::wire);
    Field budgetField = explore.get("budget");
    Field floorField = explore.get("floor");
    if (over == Over.CERTIFY_FIRST) {
      if (!certifies) {
        field.fault(
            "over: all or fair-set: only linear policies with hard or screen certify first");
        return null;
      }
      Long budget =
          budgetField == null
              ? Long.valueOf(DEFAULT_BUDGET)
              : budgetField.whole(0, Integer.MAX_VALUE);
      Double floor = floorField == null ? Double.valueOf(DEFAULT_FLOOR) : floorField.probability();
      return share == null || budget == null || floor == null
          ? null
          : new ExploreSpec(share, over, budget.intValue(), floor);
    }
    if (budgetField != null || floorField != null) {
      field.fault("share and over alone: budget and floor are of over: certify-first");
      return null;
    }
    if (over == Over.FAIR_SET && instead != null) {
      field.fault(instead);
      return null;
    }
    return share == null || over == null ? null : new ExploreSpec(share, over == Over.ALL);
  }
}
