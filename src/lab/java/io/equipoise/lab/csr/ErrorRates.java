package io.equipoise.lab.csr;

import io.equipoise.cli.report.Figure;
import io.equipoise.cli.report.Sample;
import io.equipoise.lab.csr.CsrCommand.CsrFigure;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.bestarm.Algorithm;
import io.equipoise.policy.bestarm.Conclusion;
import io.equipoise.policy.bestarm.Conclusion.BestFairArm;
import io.equipoise.policy.bestarm.FairnessEstimate;
import io.equipoise.policy.bestarm.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts the answers of all trials by setting, in the order in which settings were added. */
final class ErrorRates {
  private final Map<Setting, List<Answer>> answers = new LinkedHashMap<>();

  /** Identifies a row of the report: an experiment's policy and its settings. */
  record Setting(
      Algorithm policy, String instance, int samples, Mode mode, FairnessEstimate fairness) {
    @Override
    public String toString() {
      return policy.wire() + " " + instance + " " + mode.wire() + " T " + samples;
    }
  }

  /**
   * The answer of one trial, compared with the truth.
   *
   * @param isError whether it is not the best fair arm, or names an arm although none is fair
   * @param isNone whether it is that no arm is fair
   * @param isUnfair whether it is an unfair arm
   */
  record Answer(boolean isError, boolean isNone, boolean isUnfair) {
    static Answer of(Conclusion conclusion, CsrInstance instance) {
      int arm = conclusion instanceof BestFairArm found ? found.arm() : -1;
      return new Answer(arm != instance.best(), arm < 0, arm >= 0 && !instance.isFair(arm));
    }
  }

  void add(Map<Setting, List<Answer>> more) {
    answers.putAll(more);
  }

  Iterable<Setting> settings() {
    return answers.keySet();
  }

  /** Returns the error rate of a setting, null if it was not run. */
  @Nullable Sample error(Setting setting) {
    List<Answer> ran = answers.get(setting);
    return ran == null ? null : rate(ran, Answer::isError);
  }

  private static Sample rate(List<Answer> answers, Predicate<Answer> metric) {
    return Sample.of(answers, answer -> metric.test(answer) ? 1 : 0);
  }

  /** Returns one row per setting: errors, answers of no arm, and answers of an unfair arm. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    answers.forEach(
        (setting, ran) ->
            rows.add(
                new Row()
                    .with("policy", setting.policy().wire())
                    .with("instance", setting.instance())
                    .with("T", setting.samples())
                    .with("mode", setting.mode().wire())
                    .with("error", rate(ran, Answer::isError))
                    .with("none", rate(ran, Answer::isNone))
                    .with("unfair", rate(ran, Answer::isUnfair))));
    return rows;
  }

  /**
   * Draws the error rates of the four searches over T with their standard errors: a figure for each
   * instance and mode, after Figure 5's pairing.
   */
  List<Figure> figures(CsrFigure figure, List<Integer> samples, FairnessEstimate fairness) {
    List<Figure> figures = new ArrayList<>();
    if (figure == CsrFigure.FIGURE_5) {
      Figure pairing =
          figure("pairing", "hepar2: CSR with natural pulls, two-stage with separate ones");
      for (Algorithm policy : Algorithm.values()) {
        Mode mode = policy.isTwoStage() ? Mode.SEPARATE : Mode.NATURAL;
        curve(pairing, policy, "hepar2", mode, samples, fairness);
      }
      figures.add(pairing);
    }
    for (String instance : figure.instances()) {
      for (Mode mode : CsrCommand.MODES) {
        Figure drawn = figure(instance + "-" + mode.wire(), instance + ", " + mode.wire());
        for (Algorithm policy : Algorithm.values()) {
          curve(drawn, policy, instance, mode, samples, fairness);
        }
        figures.add(drawn);
      }
    }
    return figures;
  }

  private static Figure figure(String key, String title) {
    return new Figure(key, title, "T", "probability of error");
  }

  private void curve(
      Figure figure,
      Algorithm policy,
      String instance,
      Mode mode,
      List<Integer> samples,
      FairnessEstimate fairness) {
    double[] x = new double[samples.size()];
    double[] y = new double[x.length];
    double[] errors = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      Setting setting = new Setting(policy, instance, samples.get(i), mode, fairness);
      Sample error = Objects.requireNonNull(error(setting), setting::toString);
      x[i] = samples.get(i);
      y[i] = error.mean();
      errors[i] = error.error();
    }
    figure.curve(policy.wire(), x, y, errors);
  }
}
