package io.equipoise.lab.csr;

import io.equipoise.cli.Version;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.policy.bestarm.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Replicates Gao and Feng 2021, Figures 3, 5 and 6. */
@Command(
    name = "csr",
    description = {
      "CSR-V1, CSR-V2 and both two-stage searches for the best fair arm (Gao and Feng 2021).",
      "The default is the paper's 100 trials, under a minute a figure; it ran 300 on tight:",
      "--trials 300. HEPAR-II is not shipped: hepar2.bif is in the bnlearn repository, CC BY-SA."
    },
    mixinStandardHelpOptions = true)
public final class CsrCommand implements Callable<Integer> {
  private static final int MAX_THREADS = 2;

  @Mixin private CsrOptions options = new CsrOptions();

  @Override
  public Integer call() throws IOException {
    options.check();
    ErrorRates rates = run(settings());
    CsrChecks checks = new CsrChecks(rates, options.figure, options.fairness, options.trials);
    ReplicationReport replicationReport =
        new ReplicationReport(
            "csr",
            described(),
            options.firstSeed,
            Version.current(),
            rates.rows(),
            checks.checks(),
            checks.skipped());
    CsrPlots plots = new CsrPlots(rates, options.samples(), options.fairness);
    return options.publication.publish(replicationReport, () -> plots.of(options.figure));
  }

  private List<Trials> settings() throws IOException {
    List<Trials> settings = new ArrayList<>();
    for (String name : options.figure.instances()) {
      CsrInstance csrInstance = instance(name);
      for (Mode mode : CsrFigure.MODES) {
        for (int samples : options.samples()) {
          settings.add(new Trials(csrInstance, samples, mode, options.fairness));
        }
      }
    }
    return settings;
  }

  private CsrInstance instance(String name) throws IOException {
    if (options.figure != CsrFigure.FIGURE_5) {
      return Instances.synthetic(name);
    }
    Path bif = Objects.requireNonNull(options.bif, "checked");
    try {
      return Instances.hepar2(bif);
    } catch (IllegalArgumentException e) {
      throw options.publication.refused(bif + ": " + e.getMessage());
    }
  }

  /** Runs settings on two threads at most; their order in the report is the one given. */
  private ErrorRates run(List<Trials> settings) {
    int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    ErrorRates rates = new ErrorRates();
    try (ProgressBar bar = Publication.progress("csr", settings.size())) {
      List<Future<Map<CsrSetting, List<CsrAnswer>>>> running = new ArrayList<>();
      for (Trials each : settings) {
        running.add(pool.submit(() -> each.run(options.trials, options.firstSeed)));
      }
      for (Future<Map<CsrSetting, List<CsrAnswer>>> each : running) {
        rates.add(each.get());
        bar.step();
      }
      return rates;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while trials ran", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw options.publication.refused(refused.getMessage());
      }
      throw new IllegalStateException("a trial failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private Map<String, Object> described() {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("figure", options.figure.toString());
    described.put("trials", options.trials);
    described.put("T", options.samples());
    described.put("fairness", options.fairness.wire());
    if (options.figure == CsrFigure.FIGURE_5) {
      described.put("bif", String.valueOf(Objects.requireNonNull(options.bif).getFileName()));
      described.put(
          "pairing", "the first plot has csr-* in mode natural and ts-* in mode separate");
    }
    return described;
  }
}
