package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.Constraint;
import io.equipoise.segmentspec.Forget;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a price, or the means of groups, mean something under. Equal ones let them go on; index and
 * exploration do not count, and limits do not where nothing is limited.
 *
 * @param groups null where none are balanced
 * @param tau what limits aim at, less epsilon; 0 without a constraint
 * @param intersections whether joint effects are limited
 */
record AttributeMeaning(
    PolicyName policy,
    Constraint constraint,
    @Nullable Groups groups,
    double tau,
    boolean intersections) {

  /** Whose rewards are compared and how they are forgotten; gamma is only what follows from it. */
  record Groups(
      List<String> attributes,
      Set<List<String>> privileged,
      Set<List<String>> shielded,
      Forget forget) {}

  static AttributeMeaning of(SegmentSpec spec) {
    LinearSpec linear = linear(spec);
    boolean isLimited = linear.constraint() != Constraint.NONE;
    return new AttributeMeaning(
        spec.policy().name(),
        linear.constraint(),
        groups(linear.groups()),
        isLimited ? spec.fairness().tau() - linear.epsilon() : 0,
        isLimited && spec.fairness().intersections());
  }

  /** Says whether a debt that one spec ran up means the same under the other. */
  static boolean isOfOneGamma(SegmentSpec one, SegmentSpec other) {
    return Double.compare(gamma(one), gamma(other)) == 0;
  }

  private static double gamma(SegmentSpec spec) {
    GroupSpec groups = linear(spec).groups();
    return groups == null ? 0 : groups.gamma();
  }

  private static LinearSpec linear(SegmentSpec spec) {
    return LinearSpec.of(spec);
  }

  private static @Nullable Groups groups(@Nullable GroupSpec groups) {
    return groups == null
        ? null
        : new Groups(
            groups.attributes(),
            Set.copyOf(groups.privileged()),
            Set.copyOf(groups.protectedLevels()),
            groups.forget());
  }
}
