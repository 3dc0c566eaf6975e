package io.equipoise.segmentspec;

import io.equipoise.segmentspec.PolicySpec.FamilySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a policy with linear rewards.
 *
 * @param isShared whether one theta serves all arms, else each has its own
 * @param ridge lambda, the weight of the prior
 * @param alpha of the index
 * @param thetaNorm bound of |theta| that the self-normalized bound assumes
 * @param groups of {@code fair-linucb}, else null
 * @param dropped variables that the policy must not see, of {@code linucb-unaware}; else empty
 * @param sampleScale widths that a posterior sample spreads, of {@code lin-ts}
 * @param draws posterior draws that propensities are estimated from
 * @param constraint how effects restrict the choice
 * @param epsilon what a price on effects aims below tau; 0 without one
 * @param warmStart of {@code linucb-cp} and {@code linucb-biased}, else null
 */
public record LinearSpec(
    FeatureMap features,
    boolean isShared,
    double ridge,
    Alpha alpha,
    double thetaNorm,
    Forget forget,
    @Nullable GroupSpec groups,
    List<String> dropped,
    double sampleScale,
    int draws,
    Constraint constraint,
    double epsilon,
    ExploreSpec explore,
    @Nullable WarmStart warmStart)
    implements FamilySpec {
  /** Copies the list. */
  public LinearSpec {
    dropped = List.copyOf(dropped);
  }

  /** How effects restrict the choice. */
  public enum Constraint {
    /** They do not. */
    NONE("none"),
    /** Only arms whose effects are certified to be within tau. */
    HARD("hard"),
    /** A price on effects beyond tau. */
    DUAL("dual"),
    /** A price on effects whose upper end is beyond tau. */
    DUAL_UPPER("dual-upper"),
    /** Only arms whose effects may be fair and exceed tau by at most a slack that shrinks. */
    SCREEN("screen");

    private final String wire;

    Constraint(String wire) {
      this.wire = wire;
    }

    /** Says whether it moves a dual variable by how far effects are from tau. */
    boolean isPrice() {
      return this == DUAL || this == DUAL_UPPER;
    }

    /** Returns the word of the spec file. */
    public String wire() {
      return wire;
    }
  }
}
