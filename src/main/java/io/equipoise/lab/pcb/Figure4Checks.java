package io.equipoise.lab.pcb;

import io.equipoise.lab.pcb.Contest.Curves;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Sample;
import java.util.List;

/**
 * Holds Figure 4 against a reference implementation with random streams of its own: 400
 * simulations, 200 of the corrected bounds. A mean may differ by 15 % and three standard errors of
 * the trials that were run; ratios are tried as differences trial by trial, with three standard
 * errors.
 *
 * <p>The paper's order PCB, LinUCB, then the warm starts is the reference's. That LinUCB_Biased is
 * worse than LinUCB is not asked for: with the estimate of Table 1 it hangs on alpha and on the
 * weights of the warm start, both of which the paper leaves open. It is asked for with the estimate
 * of equation 2.
 */
final class Figure4Checks {
  private static final double SHARE = 0.15;
  private static final int FEWEST_TRIALS = 20;

  /** No regret is greater: means lie between 0 and 1. */
  private static final double MOST = PcbFigure4Command.PAPER_ROUNDS;

  private record Reference(Contender contender, double regret) {}

  private static final List<Reference> REFERENCES =
      List.of(
          new Reference(Contender.LINUCB, 99.3),
          new Reference(Contender.pcb(CausalBounds.TABLE1), 50.2),
          new Reference(Contender.pcb(CausalBounds.SOUND), 72.7),
          new Reference(Contender.pcb(CausalBounds.SOUND_POOLED), 69.8),
          new Reference(Contender.pcb(CausalBounds.SOUND_POOLED_CI), 79.9),
          new Reference(Contender.BIASED, 106.4),
          new Reference(Contender.BIASED_ADJUSTED, 244.5),
          new Reference(Contender.CP, 178.1));

  private final Contest contest;
  private final List<Check> checks;

  private Figure4Checks(Contest contest, List<Check> checks) {
    this.contest = contest;
    this.checks = checks;
  }

  static void add(Contest contest, int rounds, List<Check> checks, List<Skipped> skipped) {
    if (rounds != PcbFigure4Command.PAPER_ROUNDS) {
      skipped.add(new Skipped("reference regrets", "they are of another number of rounds"));
      return;
    }
    if (contest.size() < FEWEST_TRIALS) {
      skipped.add(
          new Skipped(
              "reference regrets", "fewer than " + FEWEST_TRIALS + " trials say too little"));
      return;
    }
    new Figure4Checks(contest, checks).add();
  }

  private void add() {
    for (Reference reference : REFERENCES) {
      Sample regret = contest.sample(reference.contender(), Curves::regret);
      double half = SHARE * reference.regret() + 3 * error(regret);
      double expected = reference.regret();
      checks.add(
          Check.of(
              "regret " + name(reference.contender()),
              regret.mean(),
              expected - half,
              expected + half));
    }
    below(Contender.pcb(CausalBounds.TABLE1), 0.85);
    below(Contender.pcb(CausalBounds.SOUND_POOLED), 0.85);
    below(Contender.pcb(CausalBounds.SOUND_POOLED_CI), 1);
    above(Contender.CP, 1.4);
    above(Contender.BIASED_ADJUSTED, 1.5);
  }

  private void below(Contender contender, double factor) {
    Sample difference = contest.difference(contender, factor, Contender.LINUCB);
    double high = 3 * error(difference);
    checks.add(Check.of(title(contender, factor), difference.mean(), -factor * MOST, high));
  }

  private void above(Contender contender, double factor) {
    Sample difference = contest.difference(contender, factor, Contender.LINUCB);
    double low = -3 * error(difference);
    checks.add(Check.of(title(contender, factor), difference.mean(), low, MOST));
  }

  private static String title(Contender contender, double factor) {
    return name(contender) + " - " + factor + " linucb";
  }

  static String name(Contender contender) {
    return contender.bounds() == CausalBounds.NONE
        ? contender.policy()
        : contender.policy() + " " + contender.bounds();
  }

  private static double error(Sample sample) {
    Double error = sample.standardError();
    return error == null ? 0 : error;
  }
}
