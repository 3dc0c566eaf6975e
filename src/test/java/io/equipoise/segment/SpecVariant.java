package io.equipoise.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The spec of {@link TestSpecs#text} with other levels and arms, and a table of M that fits. */
public final class SpecVariant {
  private final Map<String, List<String>> levels =
      new TreeMap<>(
          Map.of(
              "S", List.of("a", "b"),
              "X", List.of("low", "high"),
              "A", List.of("left", "right"),
              "M", List.of("0", "1")));
  private final String policy;
  private int version = 1;
  private String arms = "all";
  private String fairness = "tau: 0.2, delta: 0.05";
  private String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private String reward = "{range: [0, 1]}";
  private String onIncompatibleChange = "reject";

  private SpecVariant(String policy) {
    this.policy = policy;
  }

  /** Starts from number 1 of the plain spec, with {@code on-incompatible-change: reject}. */
  public static SpecVariant of(String policy) {
    return new SpecVariant(policy);
  }

  public SpecVariant version(int next) {
    version = next;
    return this;
  }

  /** Gives a variable other levels. */
  public SpecVariant levels(String variable, String... names) {
    levels.put(variable, List.of(names));
    return this;
  }

  /** Lists the arms, each like {@code {id: one, A: left}}. */
  public SpecVariant arms(String... each) {
    arms = "[" + String.join(", ", each) + "]";
    return this;
  }

  public SpecVariant fairness(String text) {
    fairness = text;
    return this;
  }

  public SpecVariant join(String text) {
    join = text;
    return this;
  }

  public SpecVariant reward(String text) {
    reward = text;
    return this;
  }

  public SpecVariant onIncompatibleChange(String text) {
    onIncompatibleChange = text;
    return this;
  }

  /** Returns the YAML. */
  public String text() {
    return """
           name: test
           version: %d
           segments: default
           seed: 11
           variables:
             S: {role: sensitive, levels: %s}
             X: {role: context, levels: %s}
             A: {role: action, levels: %s}
             M: {role: mediator, levels: %s}
             R: {role: reward}
           graph: "dag { {S X} -> A; {S A} -> M; {M X} -> R }"
           arms: %s
           distributions:
             cpts:
               S: {given: [], rows: [%s]}
               M: {given: [S, A], rows: [%s]}
           reward: %s
           policy: {name: %s}
           fairness: {%s}
           join: %s
           metrics: {every: 10}
           on-incompatible-change: %s
           """
        .formatted(
            version,
            quoted("S"),
            quoted("X"),
            quoted("A"),
            quoted("M"),
            arms,
            "[" + shares(levels("S").size(), 0) + "]",
            tableOfMediator(),
            reward,
            policy,
            fairness,
            join,
            onIncompatibleChange);
  }

  private List<String> levels(String variable) {
    return levels.getOrDefault(variable, List.of());
  }

  private List<String> quoted(String variable) {
    return levels(variable).stream().map(level -> '"' + level + '"').toList();
  }

  private String tableOfMediator() {
    List<String> rows = new ArrayList<>();
    for (String s : quoted("S")) {
      for (String a : quoted("A")) {
        rows.add("[%s, %s, %s]".formatted(s, a, shares(levels("M").size(), rows.size())));
      }
    }
    return String.join(", ", rows);
  }

  /** Returns sixteenths that add up to 1, different from row to row. */
  private static String shares(int count, int row) {
    List<String> shares = new ArrayList<>();
    int left = 16;
    for (int i = 0; i < count - 1; i++) {
      int share = 1 + (row + i) % 3;
      left -= share;
      shares.add(String.valueOf(share / 16.0));
    }
    shares.add(String.valueOf(left / 16.0));
    return String.join(", ", shares);
  }
}
