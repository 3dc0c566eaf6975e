package io.equipoise.policy.tabular;

import io.equipoise.policy.OwnFamilies;
import io.equipoise.policy.PolicyContract;
import io.equipoise.policy.PolicyFamily;
import java.util.List;
import java.util.Map;

class TabularFamilyContractTest extends PolicyContract {
  @Override
  protected PolicyFamily family() {
    return new TabularFamily();
  }

  @Override
  protected Map<String, String> specs() {
    return OwnFamilies.specs("ucb", "c-ucb", "d-ucb", "f-ucb", "ucb-pcb, causal-bounds: {name: b}");
  }

  @Override
  protected List<Change> changesOfMeaning() {
    return List.of(
        new Change(
            "d-ucb",
            "role: context, levels: [low, high]",
            "role: context, levels: [low, mid, high]"),
        new Change(
            "d-ucb", "range: [0, 1]", "range: [0, 1], default: {value: 0, mediators: {M: \"0\"}}"),
        new Change("d-ucb", "name: d-ucb", "name: d-ucb, separating-set: all"));
  }

  @Override
  protected List<Change> changesOfRule() {
    return List.of(
        new Change("f-ucb", "name: f-ucb", "name: f-ucb, index-scale: 2"),
        new Change("f-ucb", "tau: 0.2", "tau: 0.1"),
        new Change("f-ucb", "delta: 0.05", "delta: 0.05, confidence: sub-gaussian"),
        new Change("f-ucb", "seed: 11", "seed: 12"),
        new Change("ucb", "name: ucb", "name: ucb, explore: {share: 0.1, over: all}"));
  }
}
