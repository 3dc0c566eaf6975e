package io.equipoise.segmentspec;

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
    Section explore = policy.section("explore");
    if (explore == null) {
      return ExploreSpec.NEVER;
    }
    double share = explore.number("share");
    Over over = explore.word("over", Over.class);
    if (over == Over.FAIR_SET && instead != null) {
      explore.field().fault(instead);
    }
    return explore.isSound() ? new ExploreSpec(share, over == Over.ALL) : null;
  }

  private enum Over implements Word {
    FAIR_SET,
    ALL
  }
}
