package io.equipoise.sample;

import io.equipoise.policy.OwnFamilies;
import io.equipoise.policy.PolicyContract;
import io.equipoise.policy.PolicyFamily;
import java.util.List;
import java.util.Map;

class SoftmaxFamilyTest extends PolicyContract {
  @Override
  protected PolicyFamily family() {
    return new SoftmaxFamily();
  }

  @Override
  protected Map<String, String> specs() {
    return OwnFamilies.specs("softmax, temperature: 0.2");
  }

  @Override
  protected List<Change> changesOfMeaning() {
    return List.of(
        new Change(
            "softmax", "role: context, levels: [low, high]", "role: context, levels: [low, top]"),
        new Change("softmax", "levels: [left, right]", "levels: [right, left]"),
        new Change("softmax", "range: [0, 1]", "range: [0, 1], default: {value: 0}"));
  }

  @Override
  protected List<Change> changesOfRule() {
    return List.of(
        new Change("softmax", "temperature: 0.2", "temperature: 2"),
        new Change("softmax", "seed: 11", "seed: 12"));
  }
}
