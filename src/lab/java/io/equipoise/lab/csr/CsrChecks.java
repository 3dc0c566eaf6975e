package io.equipoise.lab.csr;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.cli.report.Sample;
import io.equipoise.lab.csr.CsrCommand.CsrFigure;
import io.equipoise.lab.csr.ErrorRates.Setting;
import io.equipoise.lab.report.Checks;
import io.equipoise.policy.bestarm.Algorithm;
import io.equipoise.policy.bestarm.FairnessEstimate;
import io.equipoise.policy.bestarm.Mode;
import io.equipoise.simulation.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares error rates with a reference implementation that has other random streams, within three
 * standard errors of both and 0.02. The paper prints figures without numbers. Also checks the
 * orders and limits that the paper's text or the reference claims at T = 10000 (Figure 5: from 6000
 * on), an order only if the reference's gap exceeds four standard errors of the trials.
 */
final class CsrChecks {
  private static final int T = 10_000;

  private final ErrorRates rates;
  private final FairnessEstimate fairness;
  private final int trials;
  private final Checks checks = new Checks();
  private final Map<String, Rate> references = new LinkedHashMap<>();

  /** An error rate of the reference over a number of runs. */
  private record Rate(double error, int runs) {
    double variance() {
      double p = Math.min(.98, Math.max(.02, error));
      return p * (1 - p);
    }

    /** Returns how far the mean of n runs may differ: three standard errors and 0.02. */
    double tolerance(int n) {
      return 3 * Math.sqrt(variance() * (1.0 / n + 1.0 / runs)) + .02;
    }
  }

  CsrChecks(ErrorRates rates, CsrFigure figure, FairnessEstimate fairness, int trials) {
    this.rates = rates;
    this.fairness = fairness;
    this.trials = trials;
    for (JsonNode table : Resources.json("/lab/csr/reference.json")) {
      read(table);
    }
    rates.settings().forEach(this::reference);
    switch (figure) {
      case FIGURE_3 -> {
        for (Mode mode : CsrCommand.MODES) {
          Setting second = setting(Algorithm.CSR_V2, "tight", T, mode);
          exceeds(setting(Algorithm.TS_V2, "tight", T, mode), second, 0);
          exceeds(setting(Algorithm.CSR_V1, "tight", T, mode), second, .4);
          atMost(setting(Algorithm.CSR_V2, "none", T, mode), .02);
          atMost(setting(Algorithm.TS_V2, "none", T, mode), .02);
        }
      }
      case FIGURE_5 -> {
        atMost(setting(Algorithm.CSR_V2, "hepar2", T, Mode.NATURAL), .10);
        for (int samples : new int[] {6000, 8000, T}) {
          pairing(Algorithm.TS_V1, Algorithm.CSR_V1, samples);
          pairing(Algorithm.TS_V2, Algorithm.CSR_V2, samples);
        }
      }
      case FIGURE_6 -> {
        for (String instance : figure.instances()) {
          Setting second = setting(Algorithm.CSR_V2, instance, T, Mode.NATURAL);
          for (Algorithm other : List.of(Algorithm.CSR_V1, Algorithm.TS_V1, Algorithm.TS_V2)) {
            exceeds(setting(other, instance, T, Mode.NATURAL), second, 0);
          }
        }
      }
      case NO_FAIR -> {
        for (Mode mode : CsrCommand.MODES) {
          atMost(setting(Algorithm.CSR_V2, "nofair", T, mode), .05);
        }
      }
    }
  }

  Checks checks() {
    return checks;
  }

  private void read(JsonNode table) {
    for (Map.Entry<String, JsonNode> ofT : table.get("error").properties()) {
      int place = 0;
      for (Algorithm policy : Algorithm.values()) {
        double error = ofT.getValue().get(place++).asDouble();
        String run =
            key(
                policy.wire(),
                table.get("instance").asText(),
                table.get("mode").asText(),
                table.get("fairness").asText(),
                ofT.getKey());
        references.put(run, new Rate(error, table.get("runs").asInt()));
      }
    }
  }

  private static String key(String... parts) {
    return String.join(" ", parts);
  }

  private @Nullable Rate rate(Setting setting) {
    return references.get(
        key(
            setting.policy().wire(),
            setting.instance(),
            setting.mode().wire(),
            setting.fairness().wire(),
            Integer.toString(setting.samples())));
  }

  private Setting setting(Algorithm policy, String instance, int samples, Mode mode) {
    return new Setting(policy, instance, samples, mode, fairness);
  }

  private void reference(Setting setting) {
    String name = "error " + setting;
    Rate rate = rate(setting);
    Sample error = rates.error(setting);
    if (rate == null || error == null) {
      checks.skip(name, "the reference has no such setting");
      return;
    }
    double half = rate.tolerance(trials);
    double low = Math.max(0, rate.error() - half);
    checks.add(name, error.mean(), low, Math.min(1, rate.error() + half));
  }

  private void pairing(Algorithm baseline, Algorithm csr, int samples) {
    exceeds(
        setting(baseline, "hepar2", samples, Mode.SEPARATE),
        setting(csr, "hepar2", samples, Mode.NATURAL),
        0);
  }

  private void exceeds(Setting greater, Setting smaller, double by) {
    String name = "order " + greater + " > " + smaller + (by > 0 ? " + " + by : "");
    Sample left = rates.error(greater);
    Sample right = rates.error(smaller);
    Rate leftRate = rate(greater);
    Rate rightRate = rate(smaller);
    if (left == null || right == null || leftRate == null || rightRate == null) {
      checks.skip(name, "this was not run, or the reference has it not");
      return;
    }
    double gap = leftRate.error() - rightRate.error() - by;
    double error = Math.sqrt((leftRate.variance() + rightRate.variance()) / trials);
    if (checks.isWide(name, gap, error, trials, 2)) {
      checks.add(name, left.mean() - right.mean(), by, 1);
    }
  }

  private void atMost(Setting setting, double limit) {
    String name = "limit " + setting;
    Sample error = rates.error(setting);
    if (error == null) {
      checks.skip(name, "this was not run");
    } else if (fairness != FairnessEstimate.COUNTERFACTUAL) {
      checks.skip(name, "it is known of the counterfactual estimate only");
    } else {
      double high = limit + 3 * Math.sqrt(limit * (1 - limit) / trials);
      checks.add(name, error.mean(), 0, high);
    }
  }
}
