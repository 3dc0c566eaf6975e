package io.equipoise.segment;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;

/** Small segment specs: one sensitive and one context variable, two arms, a mediator. */
public final class TestSpecs {
  private TestSpecs() {}

  /** UCB over (X, A), learning on the first reward within 60 s; needs no mediator. */
  public static String ucb() {
    return text(
        "ucb",
        1,
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
        "{range: [0, 1]}",
        "reject");
  }

  /** UCB with the join and reward sections given. */
  public static String ucb(String join, String reward) {
    return text("ucb", 1, join, reward, "reject");
  }

  /** D-UCB, whose cells need the mediator M. */
  public static String dUcb() {
    return text(
        "d-ucb",
        1,
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
        "{range: [0, 1]}",
        "reject");
  }

  /** Any policy, number and sections. */
  public static String text(
      String policy, int number, String join, String reward, String onChange) {
    return """
           name: test
           version: %d
           segments: default
           seed: 11
           variables:
             S: {role: sensitive, levels: [a, b]}
             X: {role: context, levels: [low, high]}
             A: {role: action, levels: [left, right]}
             M: {role: mediator, levels: ["0", "1"]}
             R: {role: reward}
           graph: "dag { {S X} -> A; {S A} -> M; {M X} -> R }"
           arms: all
           distributions:
             cpts:
               S: {given: [], rows: [[0.5, 0.5]]}
               M:
                 given: [S, A]
                 rows:
                   - [a, left, 0.9, 0.1]
                   - [a, right, 0.2, 0.8]
                   - [b, left, 0.6, 0.4]
                   - [b, right, 0.3, 0.7]
           reward: %s
           policy: {name: %s}
           fairness: {tau: 0.2, delta: 0.05}
           join: %s
           metrics: {every: 10}
           on-incompatible-change: %s
           """
        .formatted(number, reward, policy, join, onChange);
  }

  /**
   * A search for the best fair arm over the names of {@link #text}: X follows S, and M, which the
   * arms set, follows A and X.
   */
  public static String experiment(
      String policy, int number, String join, String reward, String onChange) {
    return """
           name: test
           version: %d
           segments: default
           seed: 11
           variables:
             S: {role: sensitive, levels: [a, b]}
             X: {role: context, levels: [low, high]}
             A: {role: action, levels: [left, right]}
             M: {role: mediator, levels: ["0", "1"]}
             R: {role: reward}
           graph: "dag { S -> X; {A X} -> M; {M X} -> R }"
           arms: all
           distributions:
             cpts:
               S: {given: [], rows: [[0.5, 0.5]]}
               X: {given: [S], rows: [[a, 0.6, 0.4], [b, 0.5, 0.5]]}
               M:
                 given: [A, X]
                 rows:
                   - [left, low, 0.9, 0.1]
                   - [left, high, 0.7, 0.3]
                   - [right, low, 0.2, 0.8]
                   - [right, high, 0.3, 0.7]
           reward: %s
           policy: {name: %s}
           fairness: {tau: 0.2}
           join: %s
           metrics: {every: 10}
           on-incompatible-change: %s
           """
        .formatted(number, reward, policy, join, onChange);
  }

  /** Compiles a text. */
  public static CompiledSpec compiled(String text) {
    return CompiledSpec.of(SpecParser.parse(text));
  }
}
