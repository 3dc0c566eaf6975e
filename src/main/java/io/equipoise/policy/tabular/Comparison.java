package io.equipoise.policy.tabular;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.fairness.EffectIdentification;
import java.util.List;

/**
 * Pairs the contexts that one effect compares. The factual world is x, the other one x'. TOTAL
 * takes cells and mediators of both from their own context; DIRECT takes the mediators of both from
 * x, INDIRECT the cells of both from x' (docs/math/effect-split.md#over-cells).
 *
 * @param limit of the kind of effect
 * @param attribute place of the sensitive attribute, or the number of a set of them
 * @param worlds one pair where everything that bears on the reward is known; else one for each
 *     joint value b of the attribute's descendants in the other world (Huang et al. 2022, Theorem
 *     2) and each value of what is undisclosed; none where the effect is not identified
 */
record Comparison(
    int attribute,
    int factualLevel,
    int counterfactualLevel,
    List<Worlds> worlds,
    EffectIdentification identification,
    KindLimit limit) {
  Comparison {
    worlds = List.copyOf(worlds);
  }

  AuditEffectKind kind() {
    return limit.kind();
  }

  /**
   * Pairs the context with the attribute at its factual value with the same at its counterfactual
   * one.
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Worlds(int[] factual, int[] other) {}
}
