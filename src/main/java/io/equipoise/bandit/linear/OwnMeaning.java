package io.equipoise.bandit.linear;

import io.equipoise.spec.GroupSpec;
import io.equipoise.spec.LinearSpec;
import io.equipoise.spec.LinearSpec.Constraint;
import io.equipoise.spec.PolicyName;
import io.equipoise.spec.SegmentSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a price, or the means of groups, mean something under. Equal ones let them go on; index and
 * exploration do not count, and limits do not where nothing is limited.
 *
 * @param tau 0 without a constraint
 * @param intersections whether joint effects are limited
 */
record OwnMeaning(
    PolicyName policy,
    Constraint constraint,
    @Nullable GroupSpec groups,
    double tau,
    boolean intersections) {

  static OwnMeaning of(SegmentSpec spec) {
    LinearSpec linear = Objects.requireNonNull(spec.policy().linear());
    boolean isLimited = linear.constraint() != Constraint.NONE;
    return new OwnMeaning(
        spec.policy().name(),
        linear.constraint(),
        linear.groups(),
        isLimited ? spec.fairness().tau() : 0,
        isLimited && spec.fairness().intersections());
  }
}
