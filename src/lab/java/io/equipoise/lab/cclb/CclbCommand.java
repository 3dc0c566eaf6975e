package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbExperiment.Plan;
import io.equipoise.lab.cclb.CclbExperiment.Result;
import io.equipoise.lab.cclb.CclbSetting.Delay;
import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.lab.report.Checks;
import io.equipoise.lab.report.NamedValues;
import io.equipoise.lab.report.Replication;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.logistic.LogisticPolicyName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Replicates Figures 2, 4 and 5 of Chen, Tian and Quinn 2025, and shows what coverage does. */
@Command(
    name = "cclb",
    description = {
      "Logistic bandits under counterfactual fairness (Chen, Tian and Quinn 2025): glm-ucb, ofulog,"
          + " cclb, eps-cclb, and our screen, dual-upper and forced-exploration.",
      "R: regret against the best fair decision. V: sum of max(0, |effect| - tau). nv: unfair"
          + " decisions. pen: R with unfair decisions earning 0. phi: the dual variable.",
      "A run with the reference's counts: --trials 20 --exact-rounds 10000 --exact-trials 3"
          + " (hours)."
    },
    mixinStandardHelpOptions = true)
public final class CclbCommand extends Replication {
  private static final int MAX_ROUNDS = 10_000_000;
  private static final int MAX_TRIALS = 10_000;

  @Option(
      names = "--figure",
      description =
          "Which figure: 2, 4, 5 or coverage. Default: all, unless a policy is named instead.")
  private @Nullable String figure;

  @Option(
      names = "--policy",
      converter = ToPolicy.class,
      description =
          "Only this policy; without --figure it runs on the base model, with the streaming"
              + " estimator and T = rounds.")
  private @Nullable LogisticPolicyName policy;

  @Option(
      names = "--rounds",
      defaultValue = "10000",
      description =
          "Rounds of a trial. Figures keep T = 10000 where there are fewer. Default:"
              + " ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--trials",
      defaultValue = "2",
      description = "Independent trials. Default: ${DEFAULT-VALUE}.")
  private int trials;

  @Option(
      names = "--exact-rounds",
      defaultValue = "1000",
      description =
          "Rounds of figures with the exact estimator; its time grows with them. "
              + "0 for none. Default: ${DEFAULT-VALUE}.")
  private int exactRounds;

  @Option(
      names = "--exact-trials",
      defaultValue = "1",
      description = "Trials with the exact estimator. Default: ${DEFAULT-VALUE}.")
  private int exactTrials;

  @Option(
      names = "--delay",
      split = ",",
      paramLabel = "ROUNDS",
      description =
          "Mean delay of rewards, exponential; two numbers: of rewards of 0, and of 1. Default:"
              + " none.")
  private List<Double> delay = List.of(0.0);

  @Option(
      names = "--window",
      defaultValue = "0",
      paramLabel = "ROUNDS",
      description =
          "Learn rewards only when their decision's window of so many rounds has closed. Default:"
              + " as they arrive.")
  private int window;

  @Option(
      names = "--per-trial",
      description = "One row for each seed, after the last round, in place of means.")
  private boolean isPerTrial;

  private static final class ToPolicy extends NamedValues<LogisticPolicyName> {
    ToPolicy() {
      super(LogisticPolicyName.values(), LogisticPolicyName::wire);
    }
  }

  @Override
  public Integer call() throws IOException {
    check();
    Delay lag = new Delay(delay.get(0), delay.get(delay.size() - 1), window);
    List<Plan> plans = new ArrayList<>();
    for (CclbSetting setting : settings()) {
      int count = setting.estimator() == Estimator.EXACT ? exactTrials : trials;
      List<Long> seeds = LongStream.range(firstSeed, firstSeed + count).boxed().toList();
      plans.add(new Plan(setting.delayed(lag), seeds));
    }
    List<Result> results;
    try (ProgressBar bar = progress(plans.stream().mapToInt(plan -> plan.seeds().size()).sum())) {
      results = CclbExperiment.run(plans, bar::step);
    }
    CclbReport report = new CclbReport(results);
    Row settings =
        new Row()
            .with("figure", figure == null ? (policy == null ? "all" : "none") : figure)
            .with("policy", policy == null ? "all" : policy.wire())
            .with("trials", trials)
            .with("rounds", rounds)
            .with("exactTrials", exactTrials)
            .with("exactRounds", exactRounds)
            .with("delay", delay)
            .with("window", window)
            .with("alpha", Scm.ALPHA)
            .with("rho", Scm.RHO);
    return publish(
        settings,
        isPerTrial ? report.perTrial() : report.means(),
        checks(results, !lag.equals(Delay.NONE)),
        report::figures);
  }

  private Checks checks(List<Result> results, boolean isDelayed) {
    Checks checks = new Checks();
    if (isDelayed) {
      checks.skip("all", "the reference's rewards are not delayed");
      return checks;
    }
    CclbReference reference = new CclbReference();
    CclbChecks means = new CclbChecks(reference, Scm.ROUNDS, checks);
    results.forEach(means::means);
    if (figure == null && policy != null) {
      results.forEach(means::totals);
    } else {
      PatternChecks patterns = new PatternChecks(reference, results, Scm.ROUNDS, checks);
      patterns.order();
      if (figure == null || figure.equals(Figures.COVERAGE)) {
        patterns.coverage();
      }
    }
    return checks;
  }

  private List<CclbSetting> settings() {
    if (figure == null && policy != null) {
      return List.of(
          CclbSetting.of(CclbSetting.NO_FIGURE, policy, Estimator.STREAMING, Scm.TAU, rounds));
    }
    Figures figures = new Figures(Math.max(rounds, Scm.ROUNDS), rounds, exactRounds);
    List<CclbSetting> settings = new ArrayList<>();
    for (String name : figure == null ? Figures.ALL : List.of(figure)) {
      settings.addAll(figures.of(name));
    }
    settings.removeIf(setting -> policy != null && setting.policy() != policy);
    if (settings.isEmpty() && policy != null) {
      throw refused("--figure " + figure + " does not run --policy " + policy.wire());
    }
    return settings;
  }

  @Override
  protected void check() {
    refuse(
        figure != null && !Figures.ALL.contains(figure),
        "--figure must be one of " + Figures.ALL + ", but is " + figure);
    range("--trials", trials, 1, MAX_TRIALS);
    range("--exact-trials", exactTrials, 1, MAX_TRIALS);
    range("--rounds", rounds, 1, MAX_ROUNDS);
    range("--exact-rounds", exactRounds, 0, MAX_ROUNDS);
    boolean isDelay = delay.size() <= 2 && delay.stream().allMatch(mean -> mean >= 0 && mean < 1e6);
    refuse(!isDelay, "--delay must be one number or two, from 0 to below 1000000");
    range("--window", window, 0, MAX_ROUNDS);
    super.check();
  }
}
