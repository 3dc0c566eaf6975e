package io.equipoise.lab.cclb;

import io.equipoise.cli.Version;
import io.equipoise.lab.cclb.CclbExperiment.Plan;
import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.policy.logistic.LogisticPolicyName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
public final class CclbCommand implements Callable<Integer> {
  private static final int MAX_ROUNDS = 10_000_000;
  private static final int MAX_TRIALS = 10_000;

  @Option(
      names = "--figure",
      description =
          "Which figure: 2, 4, 5 or coverage. Default: all, unless a policy is named instead.")
  private @Nullable String figure;

  @Option(
      names = "--policy",
      description =
          "Only this policy; without --figure it runs on the base model, with the streaming"
              + " estimator and T = rounds.")
  private @Nullable String policy;

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
      names = "--first-seed",
      defaultValue = "1",
      description = "Seed of the first trial; each further one adds 1. Default: ${DEFAULT-VALUE}.")
  private long firstSeed;

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

  @Mixin private Publication publication = new Publication();

  @Override
  public Integer call() throws IOException {
    check();
    Scm scm = new Scm();
    List<Plan> plans = new ArrayList<>();
    for (CclbSetting instant : settings(scm)) {
      CclbSetting cclbSetting = instant.delayed(delay());
      int count = cclbSetting.estimator() == Estimator.EXACT ? exactTrials : trials;
      plans.add(
          new Plan(cclbSetting, LongStream.range(firstSeed, firstSeed + count).boxed().toList()));
    }
    List<Result> results;
    int steps = plans.stream().mapToInt(plan -> plan.seeds().size()).sum();
    try (ProgressBar bar = Publication.progress("cclb", steps)) {
      results = new CclbExperiment(scm).run(plans, bar::step);
    }
    return publication.publish(report(scm, results), () -> Curves.of(results));
  }

  private Delay delay() {
    return new Delay(delay.get(0), delay.get(delay.size() - 1), window);
  }

  private ReplicationReport report(Scm scm, List<Result> results) {
    CclbReference cclbReference = new CclbReference();
    CclbChecks means = new CclbChecks(cclbReference, scm.rounds());
    boolean isDelayed = !delay().equals(Delay.NONE);
    results.stream().filter(result -> !isDelayed).forEach(means::means);
    PatternChecks patterns = new PatternChecks(cclbReference, results, scm.rounds());
    List<Skipped> skipped = new ArrayList<>();
    if (isDelayed) {
      skipped.add(new Skipped("all", "the reference's rewards are not delayed"));
    } else if (figure == null && policy != null) {
      results.forEach(means::totals);
    } else {
      patterns.order();
      if (figure == null || figure.equals(Figures.COVERAGE)) {
        patterns.coverage();
      }
    }
    List<Check> checks = new ArrayList<>(means.checks());
    checks.addAll(patterns.checks());
    skipped.addAll(means.skipped());
    skipped.addAll(patterns.skipped());
    return new ReplicationReport(
        "cclb",
        reportSettings(scm),
        firstSeed,
        Version.current(),
        isPerTrial ? Rows.perTrial(results) : Rows.means(results),
        checks,
        skipped);
  }

  private Map<String, Object> reportSettings(Scm scm) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("figure", figure == null ? (policy == null ? "all" : "none") : figure);
    settings.put("policy", policy == null ? "all" : policy);
    settings.put("trials", trials);
    settings.put("rounds", rounds);
    settings.put("exactTrials", exactTrials);
    settings.put("exactRounds", exactRounds);
    settings.put("delay", delay);
    settings.put("window", window);
    settings.put("alpha", scm.alpha());
    settings.put("rho", scm.rho());
    return settings;
  }

  private List<CclbSetting> settings(Scm scm) {
    LogisticPolicyName only = policy == null ? null : named(policy);
    if (figure == null && only != null) {
      return List.of(
          CclbSetting.of(CclbSetting.NO_FIGURE, only, Estimator.STREAMING, scm.tau(), rounds));
    }
    Figures figures = new Figures(Math.max(rounds, scm.rounds()), rounds, exactRounds);
    List<CclbSetting> settings = new ArrayList<>();
    for (String name : figure == null ? Figures.ALL : List.of(figure)) {
      settings.addAll(figures.of(name));
    }
    settings.removeIf(cclbSetting -> only != null && cclbSetting.policy() != only);
    if (settings.isEmpty()) {
      throw publication.refused("--policy " + policy + " has no part in --figure " + figure);
    }
    return settings;
  }

  private LogisticPolicyName named(String wire) {
    List<String> names = new ArrayList<>();
    for (LogisticPolicyName name : LogisticPolicyName.values()) {
      if (name.wire().equals(wire)) {
        return name;
      }
      names.add(name.wire());
    }
    throw publication.refused("--policy must be one of " + names + ", but is " + wire);
  }

  private void check() {
    if (figure != null && !Figures.ALL.contains(figure)) {
      throw publication.refused("--figure must be one of " + Figures.ALL + ", but is " + figure);
    }
    refuse(trials < 1 || trials > MAX_TRIALS, "--trials must be from 1 to " + MAX_TRIALS);
    refuse(
        exactTrials < 1 || exactTrials > MAX_TRIALS,
        "--exact-trials must be from 1 to " + MAX_TRIALS);
    refuse(rounds < 1 || rounds > MAX_ROUNDS, "--rounds must be from 1 to " + MAX_ROUNDS);
    refuse(
        exactRounds < 0 || exactRounds > MAX_ROUNDS,
        "--exact-rounds must be from 0 to " + MAX_ROUNDS);
    boolean isDelay = delay.size() <= 2 && delay.stream().allMatch(mean -> mean >= 0 && mean < 1e6);
    refuse(!isDelay, "--delay must be one number or two, from 0 to below 1000000");
    refuse(window < 0 || window > MAX_ROUNDS, "--window must be from 0 to " + MAX_ROUNDS);
    publication.check();
  }

  private void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw publication.refused(message);
    }
  }
}
