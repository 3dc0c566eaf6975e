package io.equipoise.policy;

import io.equipoise.segment.TestSpecs;
import java.util.LinkedHashMap;
import java.util.Map;

/** Specs of the families of this project. */
public final class OwnFamilies {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  private OwnFamilies() {}

  /** Returns one spec, over {@link TestSpecs#text}, for each policy. */
  public static Map<String, String> specs(String... policies) {
    Map<String, String> specs = new LinkedHashMap<>();
    for (String policy : policies) {
      String name = policy.replaceFirst(",.*", "");
      specs.put(name, TestSpecs.text(policy, 1, JOIN, "{range: [0, 1]}", "reject"));
    }
    return specs;
  }

  /** Returns one spec of an experiment for each policy. */
  public static Map<String, String> experiments(String... policies) {
    Map<String, String> specs = new LinkedHashMap<>();
    for (String policy : policies) {
      specs.put(
          policy,
          TestSpecs.experiment(
              policy + ", samples: 60, control: \"A=left\"",
              1,
              JOIN,
              "{range: [0, 1], default: {value: 0}}",
              "reject"));
    }
    return specs;
  }
}
