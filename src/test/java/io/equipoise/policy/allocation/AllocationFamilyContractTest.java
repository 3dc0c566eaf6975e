package io.equipoise.policy.allocation;

import io.equipoise.policy.OwnFamilies;
import io.equipoise.policy.PolicyContract;
import io.equipoise.policy.PolicyFamily;
import java.util.List;
import java.util.Map;

class AllocationFamilyContractTest extends PolicyContract {
  @Override
  protected PolicyFamily family() {
    return new AllocationFamily();
  }

  @Override
  protected Map<String, String> specs() {
    return OwnFamilies.specs(
        "oam, horizon: 1000", "oam-pcb, horizon: 1000, causal-bounds: {name: b}");
  }

  @Override
  protected List<Change> changesOfMeaning() {
    return List.of(
        new Change(
            "oam", "role: context, levels: [low, high]", "role: context, levels: [low, mid, high]"),
        new Change(
            "oam", "range: [0, 1]", "range: [0, 1], default: {value: 0, mediators: {M: \"0\"}}"),
        new Change("oam", "horizon: 1000", "horizon: 1000, ridge: 2"),
        new Change(
            "oam",
            "horizon: 1000",
            "horizon: 1000, features: [intercept, {level: {of: A, is: left}}]"));
  }

  @Override
  protected List<Change> changesOfRule() {
    return List.of(
        new Change("oam", "horizon: 1000", "horizon: 2000"),
        new Change("oam", "horizon: 1000", "horizon: 1000, variance: 2"),
        new Change("oam", "tau: 0.2", "tau: 0.1"));
  }
}
