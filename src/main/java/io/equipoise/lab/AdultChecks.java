package io.equipoise.lab;

import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Sample;
import io.equipoise.spec.PolicyName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds a replication of Adult-Video against reference results over 5,000 rounds. Without an edge
 * from sex to income nothing here depends on sex, so a policy that does not see sex treats twins
 * alike.
 */
final class AdultChecks {
  private static final int ROUNDS = 5000;
  private static final double TOLERANCE = 15;
  private static final Reference D_UCB = new Reference(491, TOLERANCE);
  private static final Reference F_UCB = new Reference(494, TOLERANCE);
  private static final Reference BASELINE = new Reference(240, 80);

  private record Reference(double regret, double tolerance) {}

  private AdultChecks() {}

  static void add(Outcome outcome, int rounds, List<Check> checks, List<Skipped> skipped) {
    regret(outcome, rounds, PolicyName.C_UCB, 0, "regret c-ucb", D_UCB, checks, skipped);
    regret(outcome, rounds, PolicyName.D_UCB, 0, "regret d-ucb", D_UCB, checks, skipped);
    for (int place = 0; place < outcome.taus().length; place++) {
      String tau = " f-ucb tau " + outcome.taus()[place];
      String name = "regret" + tau;
      regret(outcome, rounds, PolicyName.F_UCB, place, name, F_UCB, checks, skipped);
      checks.add(nought("unfair" + tau, outcome.unfair(PolicyName.F_UCB, place)));
      checks.add(nought("twin" + tau, outcome.twin(PolicyName.F_UCB, place)));
      String other = "twin d-ucb tau " + outcome.taus()[place];
      checks.add(nought(other, outcome.twin(PolicyName.D_UCB, place)));
    }
    PolicyName baseline = PolicyName.FAIR_LINUCB;
    regret(outcome, rounds, baseline, 0, "regret fair-linucb", BASELINE, checks, skipped);
    skipped.add(
        new Skipped(
            "edge sex -> income", "its F-UCB chooses arms for triples of worlds; not available"));
  }

  private static Check nought(String name, Sample sample) {
    return Check.of(name, sample.mean(), 0.0, 0.0);
  }

  private static void regret(
      Outcome outcome,
      int rounds,
      PolicyName policy,
      int place,
      String name,
      Reference reference,
      List<Check> checks,
      List<Skipped> skipped) {
    Sample sample = outcome.regret(policy, place, rounds);
    @Nullable Double error = sample.standardError();
    if (rounds != ROUNDS) {
      skipped.add(new Skipped(name, "the reference has " + ROUNDS + " rounds"));
    } else if (error == null) {
      skipped.add(
          new Skipped(name, "arms differ between trials, and one says nothing of how much"));
    } else {
      double half = reference.tolerance() + 3 * error;
      checks.add(
          Check.of(name, sample.mean(), reference.regret() - half, reference.regret() + half));
    }
  }
}
