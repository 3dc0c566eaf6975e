package io.equipoise.segment;

import java.util.Map;
import java.util.Random;

/**
 * People of two groups, three arms, a mediator and a reward of 0 or 1, and a spec of them that is
 * true or wrong in one point.
 */
enum MisspecifiedWorld {
  /** The spec is true. */
  NONE,
  /** The spec leaves out S -> R. */
  ARROW,
  /** The spec's table of M does not depend on S, as M does. */
  TABLE,
  /** An effect of S appears after some decisions. */
  DRIFT;

  static final int ONSET = 2_500;

  String spec(String policy, String fairness) {
    return """
name: w
version: 1
segments: default
seed: 7
variables:
  S: {role: sensitive, levels: [v0, v1], missing: reject}
  A: {role: action, levels: [a0, a1, a2]}
  M: {role: mediator, levels: [m0, m1]}
  R: {role: reward}
graph: "dag { S -> A; S -> M; A -> M; M -> R%s }"
arms: all
distributions:
  cpts:
    M: {given: [S, A], rows: [[v0, a0, 0.5, 0.5], [v0, a1, 0.4, 0.6], [v0, a2, 0.3, 0.7],
                              [v1, a0, 0.5, 0.5], [v1, a1, 0.4, 0.6], [v1, a2, 0.3, 0.7]]}
reward: {range: [0, 1]}
policy: {name: %s}
fairness: {tau: 0.1, delta: 0.05%s}
join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback: "A=a0"}
metrics: {every: 1000}
on-incompatible-change: reset
"""
        .formatted(this == DRIFT ? "; S -> R" : "", policy, fairness);
  }

  /** Plays decisions up to a number, or until something is refuted. */
  static int play(MisspecifiedWorld world, Scenario scenario, Random random, int from, int to) {
    for (int t = from; t <= to; t++) {
      int s = random.nextInt(2);
      scenario.context("d" + t, t, Map.of("S", "v" + s));
      String arm =
          String.valueOf(scenario.log.decisions.get(scenario.log.decisions.size() - 1).arm());
      int a = arm.charAt(arm.length() - 1) - '0';
      int m = random.nextDouble() < world.mediator(s, a) ? 1 : 0;
      double reward = random.nextDouble() < world.mean(s, m, t) ? 1 : 0;
      scenario.reward("d" + t, null, t + 0.5, reward, Map.of("M", "m" + m));
      if (scenario.log.segmentEvents.stream()
          .skip(Math.max(0, scenario.log.segmentEvents.size() - 5L))
          .anyMatch(segmentEvent -> segmentEvent.assumption() != null)) {
        return t;
      }
    }
    return to + 1;
  }

  private double mediator(int s, int arm) {
    return this == TABLE ? 0.1 + 0.8 * s : 0.5 + 0.1 * arm;
  }

  private double mean(int s, int m, int t) {
    return switch (this) {
      case NONE -> 0.2 + 0.2 * m;
      case ARROW -> 0.2 + 0.2 * m + 0.5 * s;
      case TABLE -> 0.1 + 0.8 * m;
      case DRIFT -> 0.3 + 0.2 * m + (t > ONSET ? 0.4 * s : 0);
    };
  }
}
