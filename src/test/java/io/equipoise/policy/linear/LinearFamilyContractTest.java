package io.equipoise.policy.linear;

import io.equipoise.policy.OwnFamilies;
import io.equipoise.policy.PolicyContract;
import io.equipoise.policy.PolicyFamily;
import java.util.List;
import java.util.Map;

class LinearFamilyContractTest extends PolicyContract {
  private static final String EVIDENCE =
      "warm-start: [{arm: A=left, context: {S: a, X: low}, n: 20, mean: 0.5}]";

  @Override
  protected PolicyFamily family() {
    return new LinearFamily();
  }

  @Override
  protected Map<String, String> specs() {
    return OwnFamilies.specs(
        "linucb",
        "linucb-unaware",
        "fair-linucb, groups: {attribute: S, privileged: a, protected: b}",
        "lin-ts",
        "epsilon-greedy",
        "linucb-pcb, causal-bounds: {name: b}",
        "linucb-biased, " + EVIDENCE,
        "linucb-cp, " + EVIDENCE);
  }

  @Override
  protected List<Change> changesOfMeaning() {
    return List.of(
        new Change(
            "linucb",
            "role: context, levels: [low, high]",
            "role: context, levels: [low, mid, high]"),
        new Change(
            "linucb", "range: [0, 1]", "range: [0, 1], default: {value: 0, mediators: {M: \"0\"}}"),
        new Change("linucb", "name: linucb", "name: linucb, ridge: 2"),
        new Change("linucb", "name: linucb", "name: linucb, model: shared"),
        new Change("linucb", "name: linucb", "name: linucb, features: [intercept]"),
        new Change("linucb", "name: linucb", "name: linucb, forget: {discount: 0.99}"),
        new Change("linucb-cp", "n: 20", "n: 21"),
        new Change("linucb-unaware", "name: linucb-unaware", "name: linucb-unaware, drop: [S, X]"));
  }

  @Override
  protected List<Change> changesOfRule() {
    return List.of(
        new Change("linucb", "name: linucb", "name: linucb, alpha: 2"),
        new Change("linucb", "tau: 0.2", "tau: 0.1"),
        new Change("linucb", "name: linucb", "name: linucb, explore: {share: 0.1, over: all}"),
        new Change("lin-ts", "name: lin-ts", "name: lin-ts, sample: {scale: 2}"));
  }
}
