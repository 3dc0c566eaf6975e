package io.equipoise.segmentspec;

import io.equipoise.event.AuditEffectKind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sets how an arm is chosen.
 *
 * @param causalBounds the bounds that the index is clipped into, or null for none
 * @param family the settings that the policy's family has read; the family knows their class
 */
public record PolicySpec(
    PolicyName name, Ties ties, @Nullable CausalBoundsSpec causalBounds, FamilySpec family) {

  /**
   * Holds the settings of a family of policies and answers questions about them that other code
   * has. Immutable.
   */
  public interface FamilySpec {
    /** Returns what is drawn in place of the rule's arm; null if the rule draws every arm. */
    default @Nullable ExploreSpec explore() {
      return null;
    }

    /** Returns the groups that the policy balances; null if it balances none. */
    default @Nullable GroupSpec groups() {
      return null;
    }

    /** Returns whether the policy is an experiment, which has phases and an end. */
    default boolean isPhased() {
      return false;
    }

    /**
     * Returns whether effects may be limited on log odds and certified by matched pairs: rewards
     * are 0 and 1, and nothing is forgotten.
     */
    default boolean hasLogOdds() {
      return false;
    }

    /** Returns the kinds of effects that {@code fairness.tau} may limit by name. */
    default Set<AuditEffectKind> kinds() {
      return Set.of();
    }
  }
}
