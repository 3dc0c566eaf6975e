package io.equipoise.policy.logistic;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.policy.constraint.DualSchedule;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.PolicySpec.FamilySpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds the settings of a policy with logistic rewards (Chen, Tian and Quinn 2025).
 *
 * @param thetaNorm S, the bound of |theta|; the weight of the prior is d / S^2
 * @param radius of the policy's confidence set; the audit's is its own
 * @param width standard deviations of the log odds that the index reaches above them; null for the
 *     radius of the policy
 * @param epsilon what the policy aims below tau, for every attribute; null for the policy's share
 *     of tau
 * @param limits thresholds of single attributes, by name; others have that of {@code fairness}
 * @param slack of the screen at the first decision, from 0 (a hard constraint); screen and
 *     forced-exploration only
 * @param isSeeded whether the draw decides where the scan of arms begins, else ties go to the
 *     lowest
 * @param explore what is drawn in place of the policy's arm; the fair set is what the audit
 *     certifies
 */
public record LogisticSpec(
    FeatureMap features,
    double thetaNorm,
    Radius radius,
    @Nullable Double width,
    @Nullable Double epsilon,
    Map<String, Limit> limits,
    Dual dual,
    double slack,
    boolean isSeeded,
    ExploreSpec explore)
    implements FamilySpec {
  /** Copies the map, by ascending name. */
  public LogisticSpec {
    limits = Collections.unmodifiableMap(new TreeMap<>(limits));
  }

  /** Returns the settings of a spec whose policy is of this family. */
  public static LogisticSpec of(SegmentSpec spec) {
    return (LogisticSpec) spec.policy().family();
  }

  /** Returns whether a draw has a part in the choice. */
  boolean isDrawn() {
    return isSeeded || explore.share() > 0;
  }

  @Override
  public Set<AuditEffectKind> kinds() {
    return Set.of(AuditEffectKind.DIRECT);
  }

  @Override
  public boolean hasLogOdds() {
    return true;
  }

  /**
   * Sets the policy's radius.
   *
   * @param delta failure probability, in (0, 1)
   * @param scale factor of the squared radius; null for the policy's own
   */
  public record Radius(RadiusKind kind, double delta, @Nullable Double scale) {}

  /**
   * Limits one attribute's effects.
   *
   * @param tau threshold; null for that of {@code fairness}
   * @param epsilon null for that of the policy
   */
  public record Limit(@Nullable Double tau, @Nullable Double epsilon) {}

  /**
   * Sets how dual variables move.
   *
   * @param cap rho, what they may grow to
   * @param schedule how far they move at a decision
   */
  public record Dual(double cap, DualSchedule schedule) {}
}
