package io.equipoise.segmentspec;

import io.equipoise.segmentspec.ExploreSpec.Over;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy.explore}. */
public final class ExploreReader {
  private ExploreReader() {}

  /**
   * Returns null after a fault.
   *
   * @param policy the section with the key
   * @param instead of a fair set, what is allowed to a policy that has none, and why; else null
   */
  public static @Nullable ExploreSpec read(Section policy, @Nullable String instead) {
    return read(policy, instead, false);
  }

  /**
   * Returns null after a fault.
   *
   * @param policy the section with the key
   * @param instead of a fair set, what is allowed to a policy that has none, and why; else null
   * @param certifies whether the policy explores target arms; that is its default then
   */
  public static @Nullable ExploreSpec read(
      Section policy, @Nullable String instead, boolean certifies) {
    Section explore = policy.section("explore");
    if (explore == null) {
      return ExploreSpec.NEVER;
    }
    double share = explore.number("share");
    Over over = explore.word("over", Over.class, certifies ? Over.CERTIFY_FIRST : Over.FAIR_SET);
    boolean isTargeted = over == Over.CERTIFY_FIRST;
    boolean hasTargetKeys = explore.get("budget") != null || explore.get("floor") != null;
    if (isTargeted && !certifies) {
      explore
          .field()
          .fault(
              "over: all or fair-set: only policies with a hard constraint or a screen certify"
                  + " first");
    } else if (over != null && !isTargeted && hasTargetKeys) {
      explore.field().fault("share and over alone: budget and floor are of over: certify-first");
    } else if (over == Over.FAIR_SET && instead != null) {
      explore.field().fault(instead);
    }
    int budget = (int) explore.whole("budget");
    double floor = explore.number("floor");
    return over == null || !explore.isSound()
        ? null
        : isTargeted ? new ExploreSpec(share, over, budget, floor) : new ExploreSpec(share, over);
  }
}
