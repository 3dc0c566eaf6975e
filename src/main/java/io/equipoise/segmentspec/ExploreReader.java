package io.equipoise.segmentspec;

import org.jspecify.annotations.Nullable;

/** Reads {@code policy.explore}. */
public final class ExploreReader {
  private ExploreReader() {}

  /**
   * Returns null after a fault.
   *
   * @param instead of a fair set, what is allowed to a policy that has none, and why; else null
   */
  public static @Nullable ExploreSpec read(@Nullable Field field, @Nullable String instead) {
    if (field == null) {
      return ExploreSpec.NEVER;
    }
    Section explore = Section.of(field, "share", "over");
    Field shareField = explore.require("share", "the share of decisions, a probability");
    Double share = shareField == null ? null : shareField.probability();
    Field overField = explore.get("over");
    Over over = overField == null ? Over.FAIR_SET : overField.oneOf(Over.values(), Over::wire);
    if (over == Over.FAIR_SET && instead != null) {
      field.fault(instead);
      return null;
    }
    return share == null || over == null ? null : new ExploreSpec(share, over == Over.ALL);
  }

  private enum Over {
    FAIR_SET("fair-set"),
    ALL("all");

    private final String wire;

    Over(String wire) {
      this.wire = wire;
    }

    String wire() {
      return wire;
    }
  }
}
