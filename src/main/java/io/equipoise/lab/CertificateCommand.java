package io.equipoise.lab;

import io.equipoise.Version;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.lab.report.Sample;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.ConfidenceKind;
import java.io.IOException;
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

  @Mixin private ReplicateOptions options = new ReplicateOptions();

  @Override
  public Integer call() throws IOException {
    options.check();
    if (options.publication.wantsPlot()) {
      throw options.refused("--plot: there is no curve to draw");
    }
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    List<Check> checks = new ArrayList<>();
    int steps = KINDS.size() * options.taus().length * options.trials;
    try (ProgressBar bar = Publication.progress("certificates", steps)) {
      for (double tau : options.taus()) {
        for (ConfidenceKind kind : KINDS) {
          List<CertificateTrial> trials = trials(tau, kind, bar);
          rows.add(row(tau, kind, trials));
          checks.add(check(tau, kind, trials));
        }
      }
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("trials", options.trials);
    settings.put("rounds", options.rounds);
    settings.put("taus", options.taus);
    settings.put("delta", 0.05);
    ReplicationReport replicationReport =
        new ReplicationReport(
            "certificates",
            settings,
            options.firstSeed,
            Version.current(),
            rows,
            checks,
            List.of());
    return options.publication.publish(replicationReport, List::of);
  }

  private List<CertificateTrial> trials(double tau, ConfidenceKind kind, ProgressBar bar) {
    EmailCampaign campaign = new EmailCampaign();
    TabularPolicy bandit = TabularPolicy.compile(campaign.bernoulliSpec(tau, kind));
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
    row.put("policy", TabularPolicyName.F_UCB.wire());
    row.put("confidence", kind.wire());
    row.put("tau", tau);
    ReplicationReport.put(row, "first", sample(trials, CertificateTrial::first));
    ReplicationReport.put(row, "gained", sample(trials, CertificateTrial::gained));
    ReplicationReport.put(row, "unfair", sample(trials, CertificateTrial::unfair));
    return row;
  }

  /** No decision may be unfair; which sequence certifies sooner depends on the rewards' spread. */
  private static Check check(double tau, ConfidenceKind kind, List<CertificateTrial> trials) {
    double unfair = sample(trials, CertificateTrial::unfair).mean();
    return Check.of("unfair " + kind.wire() + " " + tau, unfair, 0, 0);
  }

  private static Sample sample(
      List<CertificateTrial> trials, ToDoubleFunction<CertificateTrial> metric) {
    return Sample.of(trials.stream().map(metric::applyAsDouble).toList());
  }
}
