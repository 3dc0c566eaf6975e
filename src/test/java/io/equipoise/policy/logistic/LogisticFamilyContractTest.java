package io.equipoise.policy.logistic;

import io.equipoise.policy.OwnFamilies;
import io.equipoise.policy.PolicyContract;
import io.equipoise.policy.PolicyFamily;
import java.util.List;
import java.util.Map;

class LogisticFamilyContractTest extends PolicyContract {
  @Override
  protected PolicyFamily family() {
    return new LogisticFamily();
  }

  @Override
  protected Map<String, String> specs() {
    return OwnFamilies.specs(
        "glm-ucb", "ofulog", "cclb", "eps-cclb", "screen", "dual-upper", "forced-exploration");
  }

  @Override
  protected List<Change> changesOfMeaning() {
    return List.of(
        new Change(
            "screen",
            "role: context, levels: [low, high]",
            "role: context, levels: [low, mid, high]"),
        new Change(
            "screen", "range: [0, 1]", "range: [0, 1], default: {value: 0, mediators: {M: \"0\"}}"),
        new Change("screen", "name: screen", "name: screen, theta-norm: 3"),
        new Change(
            "screen",
            "name: screen",
            "name: screen, features: [{one-hot: S}, {one-hot: X}, {one-hot: A}]"));
  }

  @Override
  protected List<Change> changesOfRule() {
    return List.of(
        new Change("screen", "name: screen", "name: screen, slack: 0.1"),
        new Change("cclb", "tau: 0.2", "tau: 0.1"),
        new Change("cclb", "name: cclb", "name: cclb, dual: {cap: 5}"));
  }
}
