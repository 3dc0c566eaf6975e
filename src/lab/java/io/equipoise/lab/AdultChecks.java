package io.equipoise.lab;

import io.equipoise.cli.report.Sample;
import io.equipoise.lab.AdultCommand.Edge;
import io.equipoise.lab.report.Checks;
import io.equipoise.policy.linear.LinearPolicyName;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;

/**
 * Compares a replication of Adult-Video with reference results over 5,000 rounds.
 *
 * <p>Without an edge from sex to income nothing depends on sex, so a policy that ignores sex treats
 * twins alike. With the edge, a fifth of the people have another income in the other world, worth
 * 0.2 of reward. From tau = .2 on, one video for both worlds is fair. For a smaller tau, two
 * different videos must compensate for the income, which the policy has to learn first.
 */
record AdultChecks(Edge edge, Outcome outcome, int rounds, Checks checks) {
  private static final int ROUNDS = 5000;
  private static final double TOLERANCE = 15;
  private static final double BASELINE_TOLERANCE = 80;

  /** The smallest effect that one video for both worlds can have. */
  private static final double REACHABLE_TAU = 0.2;

  void add() {
    double free = edge == Edge.NONE ? 491 : 492;
    regret(TabularPolicyName.C_UCB, 0, "c-ucb", free, TOLERANCE);
    regret(TabularPolicyName.D_UCB, 0, "d-ucb", free, TOLERANCE);
    for (int place = 0; place < outcome.taus().length; place++) {
      double tau = outcome.taus()[place];
      String name = "f-ucb tau " + tau;
      if (edge == Edge.NONE) {
        zero("unfair " + name, outcome.unfair(TabularPolicyName.F_UCB, place));
        zero("twin d-ucb tau " + tau, outcome.twin(TabularPolicyName.D_UCB, place));
      }
      if (edge == Edge.NONE || tau >= REACHABLE_TAU) {
        regret(TabularPolicyName.F_UCB, place, name, 494, TOLERANCE);
        zero("twin " + name, outcome.twin(TabularPolicyName.F_UCB, place));
      } else {
        below(name, place);
      }
    }
    regret(LinearPolicyName.FAIR_LINUCB, 0, "fair-linucb", 240, BASELINE_TOLERANCE);
  }

  /** Applies to long runs only: after few rounds F-UCB has certified as little as D-UCB knows. */
  private void below(String of, int place) {
    String name = "twin " + of + " - d-ucb, edge " + edge.label();
    Sample difference =
        outcome.twinDifference(TabularPolicyName.F_UCB, TabularPolicyName.D_UCB, place);
    if (rounds != ROUNDS) {
      checks.skip(name, "it is known of " + ROUNDS + " rounds only");
    } else if (difference.n() == 1) {
      checks.skip(name, "one trial says nothing of the difference's spread");
    } else {
      checks.add(name, difference.mean(), -rounds, 3 * difference.error());
    }
  }

  private void zero(String name, Sample sample) {
    checks.add(name + ", edge " + edge.label(), sample.mean(), 0.0, 0.0);
  }

  private void regret(PolicyName policy, int place, String of, double reference, double tolerance) {
    String name = "regret " + of + ", edge " + edge.label();
    Sample sample = outcome.regret(policy, place, rounds);
    if (rounds != ROUNDS) {
      checks.skip(name, "the reference has " + ROUNDS + " rounds");
    } else if (sample.n() == 1) {
      checks.skip(name, "arms differ between trials, and one says nothing of how much");
    } else {
      checks.near(name, sample.mean(), reference, tolerance + 3 * sample.error());
    }
  }
}
