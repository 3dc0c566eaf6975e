package io.equipoise.segmentspec;

import io.equipoise.segmentspec.LinearSpec.Constraint;
import io.equipoise.segmentspec.PolicySpec.FamilySpec;

/**
 * The settings of a policy over cells that go beyond the rule's own.
 *
 * @param constraint HARD of {@code f-ucb} and of no other
 * @param explore what is drawn in place of the policy's arm; the fair set is what is certified
 */
public record TabularSpec(Constraint constraint, ExploreSpec explore) implements FamilySpec {
  /** Says whether effects price or screen the choice. */
  public boolean isPriced() {
    return constraint != Constraint.NONE && constraint != Constraint.HARD;
  }
}
