package io.equipoise.lab;

import io.equipoise.lab.report.Checks;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;
import java.util.List;
import java.util.Locale;

/**
 * Compares a replication of the Email Campaign with reference results: means and standard
 * deviations per run of 20 trials of 5,000 rounds with other random streams. The bounds of a mean
 * over n trials are reference +- (tolerance + 3 sd / sqrt(n)). An ordering is checked only if the
 * reference gap exceeds four standard errors of a mean over n trials.
 */
@SuppressWarnings("ArrayRecordComponent") // reference tables, never compared
final class EmailChecks {
  private static final int ROUNDS = 5000;
  private static final double[] TAUS = {.1, .2, .3, .4, .5};

  /** A curve at 500, 1000, 2000, 3000, 4000, 5000 rounds; tolerance and sd are those at the end. */
  private record Curve(PolicyName policy, double tau, double tolerance, double sd, double... at) {}

  private static final int[] CHECKPOINTS = {500, 1000, 2000, 3000, 4000, 5000};
  private static final List<Curve> CURVES =
      List.of(
          new Curve(TabularPolicyName.UCB, .3, 7.5, 2.1, 47, 93, 182, 273, 360, 448.4),
          new Curve(TabularPolicyName.C_UCB, .3, 17.5, 8.6, 55, 103, 187, 263, 336, 403.3),
          new Curve(TabularPolicyName.D_UCB, .3, 9.5, 4.6, 56, 101, 177, 241, 296, 344.7),
          new Curve(TabularPolicyName.F_UCB, .1, 16.5, 8.2, 435.1),
          new Curve(TabularPolicyName.F_UCB, .2, 18, 8.7, 393.1),
          new Curve(TabularPolicyName.F_UCB, .3, 19, 9.5, 46, 97, 185, 241, 297, 346.8),
          new Curve(TabularPolicyName.F_UCB, .4, 13.5, 6.5, 322.6),
          new Curve(TabularPolicyName.F_UCB, .5, 13, 6.3, 340.3));

  /** Unfair decisions by tau: mean, tolerance, sd. */
  private record Unfair(PolicyName policy, double[] mean, double[] tolerance, double[] sd) {}

  private static final List<Unfair> UNFAIR =
      List.of(
          new Unfair(
              TabularPolicyName.UCB,
              new double[] {2830, 1427, 480, 125, 6},
              new double[] {30, 30, 15, 8, 4},
              new double[] {8, 8, 5, 2, 1}),
          new Unfair(
              TabularPolicyName.C_UCB,
              new double[] {3367, 1560, 594, 238, 32},
              new double[] {270, 175, 95, 80, 21},
              new double[] {136, 87, 48, 39, 10}),
          new Unfair(
              TabularPolicyName.D_UCB,
              new double[] {3494, 1677, 681, 204, 29},
              new double[] {310, 105, 75, 50, 22},
              new double[] {155, 52, 37, 25, 11}));

  /** Pairs of indices in {@link #CURVES}: the first regret is greater. */
  private static final int[][] ORDERINGS = {{0, 1}, {1, 2}, {1, 5}, {3, 4}, {4, 5}, {5, 6}};

  private final Outcome outcome;
  private final int trials;
  private final int rounds;
  private final Checks checks = new Checks();

  EmailChecks(Outcome outcome, int trials, int rounds) {
    this.outcome = outcome;
    this.trials = trials;
    this.rounds = rounds;
    CURVES.forEach(this::regret);
    UNFAIR.forEach(this::unfair);
    for (int place = 0; place < outcome.taus().length; place++) {
      double value = outcome.unfair(TabularPolicyName.F_UCB, place).mean();
      checks.add("unfair f-ucb tau " + outcome.taus()[place], value, 0.0, 0.0);
    }
    for (int[] ordering : ORDERINGS) {
      ordered(CURVES.get(ordering[0]), CURVES.get(ordering[1]));
    }
  }

  Checks checks() {
    return checks;
  }

  private static String name(Curve curve) {
    return curve.policy().wire()
        + (curve.policy() == TabularPolicyName.F_UCB ? " tau " + curve.tau() : "");
  }

  /** Unconstrained policies have the same regret at every tau. */
  private int place(Curve curve) {
    return curve.policy() == TabularPolicyName.F_UCB ? outcome.place(curve.tau()) : 0;
  }

  private void regret(Curve curve) {
    String name = "regret " + name(curve);
    if (place(curve) < 0) {
      checks.skip(name, "this tau was not run");
      return;
    }
    int first = CHECKPOINTS.length - curve.at().length;
    for (int i = first; i < CHECKPOINTS.length; i++) {
      int t = CHECKPOINTS[i];
      if (t > rounds) {
        checks.skip(name + " at " + t, "only " + rounds + " rounds were run");
        continue;
      }
      double share = Math.sqrt((double) t / ROUNDS);
      double half = share * (curve.tolerance() + 3 * curve.sd() / Math.sqrt(trials));
      double center = curve.at()[i - first];
      double value = outcome.regret(curve.policy(), place(curve), t).mean();
      checks.near(name + " at " + t, value, center, half);
    }
  }

  private void unfair(Unfair reference) {
    for (int i = 0; i < TAUS.length; i++) {
      String name =
          String.format(Locale.ROOT, "unfair %s tau %.1f", reference.policy().wire(), TAUS[i]);
      int place = outcome.place(TAUS[i]);
      if (place < 0 || rounds != ROUNDS) {
        checks.skip(name, place < 0 ? "this tau was not run" : notTheRounds());
        continue;
      }
      double half = reference.tolerance()[i] + 3 * reference.sd()[i] / Math.sqrt(trials);
      double value = outcome.unfair(reference.policy(), place).mean();
      double center = reference.mean()[i];
      checks.add(name, value, Math.max(0, center - half), center + half);
    }
  }

  private void ordered(Curve greater, Curve smaller) {
    String name = "regret " + name(greater) + " - " + name(smaller);
    double gap = last(greater) - last(smaller);
    double error = Math.hypot(greater.sd(), smaller.sd()) / Math.sqrt(trials);
    if (place(greater) < 0 || place(smaller) < 0) {
      checks.skip(name, "this tau was not run");
    } else if (rounds != ROUNDS) {
      checks.skip(name, notTheRounds());
    } else if (checks.isWide(name, gap, error, trials, 1)) {
      double value =
          outcome.regret(greater.policy(), place(greater), rounds).mean()
              - outcome.regret(smaller.policy(), place(smaller), rounds).mean();
      checks.add(name, value, 0, rounds); // means lie between 0 and 1
    }
  }

  private static double last(Curve curve) {
    return curve.at()[curve.at().length - 1];
  }

  private static String notTheRounds() {
    return "the reference has " + ROUNDS + " rounds";
  }
}
