package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.HardConstraint;
import io.equipoise.policy.constraint.Lagrangian;
import io.equipoise.policy.constraint.SelectionRule;
import io.equipoise.segmentspec.Forget;

/** Selects the fairness part of a linear policy. */
public sealed interface LinearFairness {
  /** Applies no fairness: the index alone decides. */
  record None() implements LinearFairness {}

  /**
   * Adds the group-balance term of Fair-LinUCB, eqs. 6 to 8, to the index; needs {@link
   * LinearIndex.Ucb}.
   *
   * @param forgetting of the group means: cumulative in the paper
   */
  record GroupBalance(SensitiveGroups groups, Gamma gamma, Forget forgetting)
      implements LinearFairness {}

  /**
   * Limits the sizes of a candidate's effects: by the largest over its counterfactual worlds.
   *
   * <p>A hard constraint also requires that the effect rests on data. Where a hard constraint or a
   * screen admits nobody, the fallback is the candidate with the least upper end among those that
   * are not known to exceed the limit, the least known of equal ones.
   *
   * @param rule on one effect; its dual variable lies in {@link PolicyState}
   */
  record Limited(RidgeEffects effects, SelectionRule rule) implements LinearFairness {
    /** Checks that the rule limits one effect. */
    public Limited {
      if (rule.limits().size() != 1) {
        throw new IllegalArgumentException(
            rule.limits().size() + " limits; a ridge model has one, on its largest effect");
      }
    }

    EffectLimit limit() {
      return rule.limits().get(0);
    }

    /** Returns whether the rule leaves candidates out; a dual penalty alone never does. */
    boolean isSelective() {
      return !(rule instanceof Lagrangian);
    }

    static boolean isHard(LinearFairness fairness) {
      return fairness instanceof Limited limited && limited.rule() instanceof HardConstraint;
    }

    /** Returns whether a dual variable moves with the decisions. */
    static boolean isCharging(LinearFairness fairness) {
      return fairness instanceof Limited limited && limited.rule().penalty() != null;
    }
  }
}
