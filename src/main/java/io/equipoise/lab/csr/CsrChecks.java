package io.equipoise.lab.csr;

import io.equipoise.lab.csr.References.Rate;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Sample;
import io.equipoise.policy.bestarm.Algorithm;
import io.equipoise.policy.bestarm.FairnessEstimate;
import io.equipoise.policy.bestarm.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Holds error rates against the reference's, within three standard errors of both and 0.02, and
 * against the orders and limits that the paper's text or the reference claims at T = 10000 (Figure
 * 5: from 6000 on). An order is held only where the reference's gap is more than four standard
 * errors of the trials that were run.
 */
final class CsrChecks {
  private final ErrorRates rates;
  private final References references;
  private final FairnessEstimate fairness;
  private final int trials;
  private final List<Check> checks = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();

  /** A policy where it runs. */
  private record Run(Algorithm policy, String instance, int samples, Mode mode) {
    @Override
    public String toString() {
      return policy.wire() + " " + instance + " " + mode.wire() + " T " + samples;
    }
  }

  CsrChecks(ErrorRates rates, CsrFigure figure, FairnessEstimate fairness, int trials) {
    this.rates = rates;
    this.fairness = fairness;
    this.trials = trials;
    references = new References();
    rates.settings().forEach(this::reference);
    switch (figure) {
      case FIGURE_3 -> {
        for (Mode mode : CsrFigure.MODES) {
          Run second = new Run(Algorithm.CSR_V2, "tight", 10_000, mode);
          exceeds(new Run(Algorithm.TS_V2, "tight", 10_000, mode), second, 0);
          exceeds(new Run(Algorithm.CSR_V1, "tight", 10_000, mode), second, .4);
          atMost(new Run(Algorithm.CSR_V2, "none", 10_000, mode), .02);
          atMost(new Run(Algorithm.TS_V2, "none", 10_000, mode), .02);
        }
      }
      case FIGURE_5 -> {
        atMost(new Run(Algorithm.CSR_V2, "hepar2", 10_000, Mode.NATURAL), .10);
        for (int samples : new int[] {6000, 8000, 10_000}) {
          pairing(Algorithm.TS_V1, Algorithm.CSR_V1, samples);
          pairing(Algorithm.TS_V2, Algorithm.CSR_V2, samples);
        }
      }
      case FIGURE_6 -> {
        for (String instance : figure.instances()) {
          Run second = new Run(Algorithm.CSR_V2, instance, 10_000, Mode.NATURAL);
          for (Algorithm other : List.of(Algorithm.CSR_V1, Algorithm.TS_V1, Algorithm.TS_V2)) {
            exceeds(new Run(other, instance, 10_000, Mode.NATURAL), second, 0);
          }
        }
      }
      case NO_FAIR -> {
        for (Mode mode : CsrFigure.MODES) {
          atMost(new Run(Algorithm.CSR_V2, "nofair", 10_000, mode), .05);
        }
      }
    }
  }

  List<Check> checks() {
    return checks;
  }

  List<Skipped> skipped() {
    return skipped;
  }

  private void reference(CsrSetting csrSetting) {
    String name =
        "error "
            + new Run(
                csrSetting.policy(),
                csrSetting.instance(),
                csrSetting.samples(),
                csrSetting.mode());
    Rate rate = references.of(csrSetting);
    Optional<Sample> error = rates.error(csrSetting);
    if (rate == null || error.isEmpty()) {
      skipped.add(new Skipped(name, "the reference has no such setting"));
      return;
    }
    double half = rate.tolerance(trials);
    double low = Math.max(0, rate.error() - half);
    double high = Math.min(1, rate.error() + half);
    checks.add(Check.of(name, error.get().mean(), low, high));
  }

  private void pairing(Algorithm baseline, Algorithm csr, int samples) {
    exceeds(
        new Run(baseline, "hepar2", samples, Mode.SEPARATE),
        new Run(csr, "hepar2", samples, Mode.NATURAL),
        0);
  }

  private void exceeds(Run greater, Run smaller, double by) {
    String name = "order " + greater + " > " + smaller + (by > 0 ? " + " + by : "");
    Optional<Sample> left = error(greater);
    Optional<Sample> right = error(smaller);
    Rate leftRate = references.of(setting(greater));
    Rate rightRate = references.of(setting(smaller));
    if (left.isEmpty() || right.isEmpty() || leftRate == null || rightRate == null) {
      skipped.add(new Skipped(name, "this was not run, or the reference has it not"));
      return;
    }
    double gap = leftRate.error() - rightRate.error() - by;
    double error = Math.sqrt((variance(leftRate) + variance(rightRate)) / trials);
    if (gap <= 4 * error) {
      String why =
          String.format(
              Locale.ROOT,
              "the expected gap, %.2f, is within four standard errors of %d trials, %.2f",
              gap,
              trials,
              4 * error);
      skipped.add(new Skipped(name, why));
    } else {
      checks.add(Check.of(name, left.get().mean() - right.get().mean(), by, 1));
    }
  }

  private void atMost(Run run, double limit) {
    String name = "limit " + run;
    Optional<Sample> error = error(run);
    if (error.isEmpty()) {
      skipped.add(new Skipped(name, "this was not run"));
    } else if (fairness != FairnessEstimate.COUNTERFACTUAL) {
      skipped.add(new Skipped(name, "it is known of the counterfactual estimate only"));
    } else {
      double high = limit + 3 * Math.sqrt(limit * (1 - limit) / trials);
      checks.add(Check.of(name, error.get().mean(), 0, high));
    }
  }

  private static double variance(Rate rate) {
    double p = Math.min(.98, Math.max(.02, rate.error()));
    return p * (1 - p);
  }

  private Optional<Sample> error(Run run) {
    return rates.error(setting(run));
  }

  private CsrSetting setting(Run run) {
    return new CsrSetting(run.policy(), run.instance(), run.samples(), run.mode(), fairness);
  }
}
