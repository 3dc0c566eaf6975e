package io.equipoise.lab;

import io.equipoise.cli.report.Sample;
import io.equipoise.lab.report.Checks;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.Choice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.ConfidenceKind;
import io.equipoise.simulation.EmailCampaign;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Round;
import io.equipoise.simulation.SplitMix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;

/**
 * Compares the confidence sequences by how soon they certify: F-UCB on the Email Campaign with
 * rewards of 0 or 1 of the same means, whose sub-Gaussian scale is half the range.
 */
@Command(
    name = "certificates",
    description = "Rounds to the first certificate from data, under each confidence sequence.",
    mixinStandardHelpOptions = true)
public final class CertificateCommand extends FucbCommand {
  private static final List<ConfidenceKind> KINDS =
      List.of(ConfidenceKind.SUB_GAUSSIAN, ConfidenceKind.JOINT);

  /**
   * One trial.
   *
   * @param first the first round in which a person's fair set is larger than before any data; the
   *     number of rounds plus 1 if there is none
   * @param gained certified pairs of person and arm after the last round, less those before any
   *     data
   * @param unfair decisions whose true effect exceeds tau
   * @param regret sum of what the best arm of all pays more
   */
  private record Certified(int first, int gained, int unfair, double regret) {}

  @Override
  public Integer call() throws IOException {
    check();
    refuse(hasPlot(), "--plot: there is no curve to draw");
    List<Row> rows = new ArrayList<>();
    Checks checks = new Checks();
    double[] taus = taus();
    try (ProgressBar bar = progress(KINDS.size() * taus.length * trials)) {
      for (double tau : taus) {
        List<Certified> before = List.of();
        for (ConfidenceKind kind : KINDS) {
          List<Certified> certified = trials(tau, kind, bar);
          Sample unfair = Sample.of(certified, Certified::unfair);
          rows.add(
              new Row()
                  .with("policy", TabularPolicyName.F_UCB.wire())
                  .with("confidence", kind.wire())
                  .with("tau", tau)
                  .with("first", Sample.of(certified, Certified::first))
                  .with("gained", Sample.of(certified, Certified::gained))
                  .with("unfair", unfair)
                  .with("regret", Sample.of(certified, Certified::regret))
                  .with(
                      "more",
                      before.isEmpty()
                          ? null
                          : Runs.ofDifference(certified, 1, before, Certified::regret)));
          before = certified;
          checks.add("unfair " + kind.wire() + " " + tau, unfair.mean(), 0, 0);
        }
      }
    }
    return publish(settings(trials, rounds).with("delta", 0.05), rows, checks, List::of);
  }

  private List<Certified> trials(double tau, ConfidenceKind kind, ProgressBar bar) {
    Environment environment = EmailCampaign.environment();
    TabularPolicy policy =
        TabularPolicy.compile(LabSpec.email().ofBernoulli(TabularPolicyName.F_UCB, tau, kind));
    List<Certified> done = new ArrayList<>();
    for (int trial = 0; trial < trials; trial++) {
      long seed = firstSeed + trial;
      List<Round> drawn = environment.rounds(rounds, seed);
      done.add(trial(policy, environment, drawn, seed));
      bar.step();
    }
    return done;
  }

  private static Certified trial(
      TabularPolicy policy, Environment environment, List<Round> rounds, long seed) {
    ModelState state = new MemoryModelState();
    SplitMix coins = new SplitMix(~seed);
    Map<List<Integer>, Integer> before = new HashMap<>();
    int first = rounds.size() + 1;
    int unfair = 0;
    double regret = 0;
    for (int t = 1; t <= rounds.size(); t++) {
      Round round = rounds.get(t - 1);
      int[] context = round.context();
      int known =
          before.computeIfAbsent(
              Arrays.stream(context).boxed().toList(),
              levels -> choose(policy, new MemoryModelState(), context, 1).fairSetSize());
      Choice choice = choose(policy, state, context, t);
      if (choice.fairSetSize() > known) {
        first = Math.min(first, t);
      }
      if (Math.abs(environment.effect(context, choice.arm())) > policy.spec().fairness().tau()) {
        unfair++;
      }
      double[] means = environment.means(context);
      regret += Arrays.stream(means).max().orElseThrow() - means[choice.arm()];
      Environment.SimulatedOutcome answer = environment.answer(round, choice.arm());
      double reward = coins.nextDouble() < answer.reward() - round.noise() ? 1 : 0;
      policy.learn(state, context, choice.arm(), answer.mediators(), reward);
    }
    int gained = 0;
    for (Map.Entry<List<Integer>, Integer> person : before.entrySet()) {
      int[] context = person.getKey().stream().mapToInt(level -> level).toArray();
      Choice last = choose(policy, state, context, rounds.size() + 1);
      gained += last.fairSetSize() - person.getValue();
    }
    return new Certified(first, gained, unfair, regret);
  }

  private static Choice choose(TabularPolicy policy, ModelState state, int[] context, long t) {
    return policy.choose(
        state, context, t, new SeededRandom(policy.spec().seed(), "lab", Long.toString(t)));
  }
}
