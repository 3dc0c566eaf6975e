package io.equipoise.lab.csr;

import io.equipoise.lab.report.Figure;
import io.equipoise.lab.report.Sample;
import io.equipoise.policy.bestarm.Algorithm;
import io.equipoise.policy.bestarm.FairnessEstimate;
import io.equipoise.policy.bestarm.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Draws the error rates of the four searches over T, with their standard errors. */
final class CsrPlots {
  private final ErrorRates rates;
  private final List<Integer> samples;
  private final FairnessEstimate fairness;

  CsrPlots(ErrorRates rates, List<Integer> samples, FairnessEstimate fairness) {
    this.rates = rates;
    this.samples = samples;
    this.fairness = fairness;
  }

  /** Returns a figure for each instance and mode; Figure 5's pairing comes first. */
  List<Figure> of(CsrFigure figure) {
    List<Figure> figures = new ArrayList<>();
    if (figure == CsrFigure.FIGURE_5) {
      String title = "hepar2: CSR with natural pulls, two-stage with separate ones";
      figures.add(
          figure(
              "pairing",
              title,
              "hepar2",
              policy -> policy.isTwoStage() ? Mode.SEPARATE : Mode.NATURAL));
    }
    for (String instance : figure.instances()) {
      for (Mode mode : CsrFigure.MODES) {
        String key = instance + "-" + mode.wire();
        figures.add(figure(key, instance + ", " + mode.wire(), instance, policy -> mode));
      }
    }
    return figures;
  }

  private Figure figure(
      String key, String title, String instance, Function<Algorithm, Mode> modes) {
    Figure figure = new Figure(key, title, "T", "probability of error");
    for (Algorithm policy : Algorithm.values()) {
      Mode mode = modes.apply(policy);
      double[] x = new double[samples.size()];
      double[] y = new double[x.length];
      double[] errors = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        Sample error =
            rates
                .error(new CsrSetting(policy, instance, samples.get(i), mode, fairness))
                .orElseThrow();
        x[i] = samples.get(i);
        y[i] = error.mean();
        Double spread = error.standardError();
        errors[i] = spread == null ? 0 : spread;
      }
      figure.curve(policy.wire(), x, y, errors);
    }
    return figure;
  }
}
