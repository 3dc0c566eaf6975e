package io.equipoise.lab;

import io.equipoise.lab.AdultCommand.Edge;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Sample;
import io.equipoise.policy.linear.LinearPolicyName;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds a replication of Adult-Video against reference results over 5,000 rounds.
 *
 * <p>Without an edge from sex to income nothing here depends on sex, so a policy that does not see
 * sex treats twins alike. With it, a fifth of the people have another income in the other world,
 * worth 0.2 of reward. One video for both worlds is then fair from tau = .2 on. Below, two
 * different ones must make up for the income, which has to be learned before it can be certified.
 */
final class AdultChecks {
  private static final int ROUNDS = 5000;
  private static final double TOLERANCE = 15;
  private static final double BASELINE_TOLERANCE = 80;

  /** The least effect that a follower's own part of the reward leaves to everybody. */
  private static final double REACHABLE_TAU = 0.2;

  private final Edge edge;
  private final Outcome outcome;
  private final int rounds;

  AdultChecks(Edge edge, Outcome outcome, int rounds) {
    this.edge = edge;
    this.outcome = outcome;
    this.rounds = rounds;
  }

  void add(List<Check> checks, List<Skipped> skipped) {
    double free = edge == Edge.NONE ? 491 : 492;
    regret(TabularPolicyName.C_UCB, 0, "c-ucb", free, TOLERANCE, checks, skipped);
    regret(TabularPolicyName.D_UCB, 0, "d-ucb", free, TOLERANCE, checks, skipped);
    for (int place = 0; place < outcome.taus().length; place++) {
      double tau = outcome.taus()[place];
      String name = "f-ucb tau " + tau;
      if (edge == Edge.NONE) {
        nought("unfair " + name, outcome.unfair(TabularPolicyName.F_UCB, place), checks);
        nought("twin d-ucb tau " + tau, outcome.twin(TabularPolicyName.D_UCB, place), checks);
      }
      if (edge == Edge.NONE || tau >= REACHABLE_TAU) {
        regret(TabularPolicyName.F_UCB, place, name, 494, TOLERANCE, checks, skipped);
        nought("twin " + name, outcome.twin(TabularPolicyName.F_UCB, place), checks);
      } else {
        below(name, place, checks, skipped);
      }
    }
    regret(
        LinearPolicyName.FAIR_LINUCB, 0, "fair-linucb", 240, BASELINE_TOLERANCE, checks, skipped);
  }

  /** What only learning brings: after few rounds F-UCB has certified as little as D-UCB knows. */
  private void below(String of, int place, List<Check> checks, List<Skipped> skipped) {
    String name = "twin " + of + " - d-ucb, edge " + edge.label();
    Sample difference =
        outcome.twinDifference(TabularPolicyName.F_UCB, TabularPolicyName.D_UCB, place);
    @Nullable Double error = difference.standardError();
    if (rounds != ROUNDS) {
      skipped.add(new Skipped(name, "it is known of " + ROUNDS + " rounds only"));
    } else if (error == null) {
      skipped.add(new Skipped(name, "one trial says nothing of the difference's spread"));
    } else {
      checks.add(Check.of(name, difference.mean(), -rounds, 3 * error));
    }
  }

  private void nought(String name, Sample sample, List<Check> checks) {
    checks.add(Check.of(name + ", edge " + edge.label(), sample.mean(), 0.0, 0.0));
  }

  private void regret(
      PolicyName policy,
      int place,
      String of,
      double reference,
      double tolerance,
      List<Check> checks,
      List<Skipped> skipped) {
    String name = "regret " + of + ", edge " + edge.label();
    Sample sample = outcome.regret(policy, place, rounds);
    @Nullable Double error = sample.standardError();
    if (rounds != ROUNDS) {
      skipped.add(new Skipped(name, "the reference has " + ROUNDS + " rounds"));
    } else if (error == null) {
      skipped.add(
          new Skipped(name, "arms differ between trials, and one says nothing of how much"));
    } else {
      double half = tolerance + 3 * error;
      checks.add(Check.of(name, sample.mean(), reference - half, reference + half));
    }
  }
}
