package io.equipoise.lab;

import io.equipoise.Version;
import io.equipoise.bandit.Bandit;
import io.equipoise.lab.Check.Skipped;
import io.equipoise.spec.ConfidenceKind;
import io.equipoise.spec.PolicyName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Compares the confidence sequences by how soon they certify: F-UCB on the Email Campaign with
 * rewards of 0 or 1 of the same means, where the sub-Gaussian scale that holds is half the range.
 */
@Command(
    name = "certificates",
    description = "Rounds to the first certificate from data, under each confidence sequence.",
    mixinStandardHelpOptions = true)
final class CertificateCommand implements Callable<Integer> {
  private static final List<ConfidenceKind> KINDS =
      List.of(ConfidenceKind.SUB_GAUSSIAN, ConfidenceKind.EMPIRICAL_BERNSTEIN);

  @Spec private CommandSpec command = CommandSpec.create();

  @Mixin private ReplicateOptions options = new ReplicateOptions();

  @Override
  public Integer call() {
    options.check();
    if (options.plot != null) {
      throw options.refused("--plot: there is no curve to draw");
    }
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    List<Check> checks = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    int steps = KINDS.size() * options.taus().length * options.trials;
    try (ProgressBar bar = Publication.progress("certificates", steps)) {
      for (double tau : options.taus()) {
        Map<ConfidenceKind, List<CertificateTrial>> byKind = new LinkedHashMap<>();
        for (ConfidenceKind kind : KINDS) {
          List<CertificateTrial> trials = trials(tau, kind, bar);
          byKind.put(kind, trials);
          rows.add(row(tau, kind, trials));
        }
        judge(tau, byKind, checks, skipped);
      }
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("trials", options.trials);
    settings.put("rounds", options.rounds);
    settings.put("taus", options.taus());
    settings.put("delta", 0.05);
    Report report =
        new Report(
            "certificates", settings, options.firstSeed, Version.current(), rows, checks, skipped);
    Publication.publish(
        report, options, command.commandLine().getOut(), command.commandLine().getErr());
    return report.exitCode();
  }

  private List<CertificateTrial> trials(double tau, ConfidenceKind kind, ProgressBar bar) {
    EmailCampaign campaign = new EmailCampaign();
    Bandit bandit = Bandit.compile(campaign.bernoulliSpec(tau, kind));
    List<CertificateTrial> trials = new ArrayList<>();
    for (int trial = 0; trial < options.trials; trial++) {
      long seed = options.firstSeed + trial;
      List<Round> rounds = campaign.environment().rounds(options.rounds, seed);
      trials.add(CertificateTrial.run(bandit, campaign.environment(), rounds, seed));
      bar.step();
    }
    return trials;
  }

  private static Map<String, @Nullable Object> row(
      double tau, ConfidenceKind kind, List<CertificateTrial> trials) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("policy", PolicyName.F_UCB.wire());
    row.put("confidence", kind.wire());
    row.put("tau", tau);
    Report.put(row, "first", sample(trials, CertificateTrial::first));
    Report.put(row, "gained", sample(trials, CertificateTrial::gained));
    Report.put(row, "unfair", sample(trials, CertificateTrial::unfair));
    return row;
  }

  /** No certificate may be wrong, and without a scale to declare certificates come sooner. */
  private void judge(
      double tau,
      Map<ConfidenceKind, List<CertificateTrial>> byKind,
      List<Check> checks,
      List<Skipped> skipped) {
    byKind.forEach(
        (kind, trials) ->
            checks.add(
                Check.of(
                    "unfair " + kind.wire() + " " + tau,
                    sample(trials, CertificateTrial::unfair).mean(),
                    null,
                    0.0)));
    double scaled = first(byKind.get(ConfidenceKind.SUB_GAUSSIAN));
    double free = first(byKind.get(ConfidenceKind.EMPIRICAL_BERNSTEIN));
    String name = "first " + tau;
    if (Math.min(scaled, free) > options.rounds) {
      skipped.add(new Skipped(name, "no certificate from data within the rounds run"));
    } else {
      checks.add(Check.of(name, free, null, scaled));
    }
  }

  private static double first(List<CertificateTrial> trials) {
    return sample(trials, CertificateTrial::first).mean();
  }

  private static Sample sample(
      List<CertificateTrial> trials, ToDoubleFunction<CertificateTrial> metric) {
    return Sample.of(trials.stream().map(metric::applyAsDouble).toList());
  }
}
