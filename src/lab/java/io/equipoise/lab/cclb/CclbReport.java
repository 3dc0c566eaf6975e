package io.equipoise.lab.cclb;

import io.equipoise.cli.report.Figure;
import io.equipoise.cli.report.Sample;
import io.equipoise.lab.cclb.CclbExperiment.Result;
import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.lab.cclb.Totals.Measure;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.logistic.PolicyParameters.EffectAt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Turns results into rows and figures. */
final class CclbReport {
  /** The rounds of the reference's tables. */
  private static final List<Integer> TABLE = List.of(1000, 2500, 5000, 10_000, 50_000);

  private final List<Result> results;
  private final List<Measure> columns;

  CclbReport(List<Result> results) {
    this.results = results;
    boolean hasAudit = results.stream().anyMatch(result -> result.setting().isAudited());
    columns =
        Arrays.stream(Measure.values())
            .filter(measure -> hasAudit || !measure.isOfAudit())
            .toList();
  }

  /** Returns means over trials: a row for each setting, at the table's rounds and at the end. */
  List<Row> means() {
    List<Row> rows = new ArrayList<>();
    for (Result result : results) {
      CclbSetting setting = result.setting();
      for (int t : result.checkpoints()) {
        if (TABLE.contains(t) || t == setting.rounds()) {
          Row row = row(setting).with("t", t);
          for (Measure measure : columns) {
            Sample sample = setting.has(measure) ? result.sample(t, measure) : null;
            row.with(measure.wire(), sample);
          }
          rows.add(row);
        }
      }
    }
    return rows;
  }

  /** Returns a row for each setting and seed, at the end. */
  List<Row> perTrial() {
    List<Row> rows = new ArrayList<>();
    for (Result result : results) {
      for (int trial = 0; trial < result.seeds().size(); trial++) {
        Totals totals = result.last(trial);
        Row row =
            row(result.setting()).with("t", totals.t()).with("seed", result.seeds().get(trial));
        for (Measure measure : columns) {
          Object value = result.setting().has(measure) ? totals.get(measure) : null;
          row.with(measure.wire(), value);
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static Row row(CclbSetting setting) {
    return new Row()
        .with("figure", setting.figure())
        .with("policy", setting.policy().wire())
        .with("estimator", setting.estimator().name())
        .with("instance", setting.instance())
        .with("tau", setting.tau())
        .with("eps", setting.eps())
        .with("effectAt", setting.effectAt().name())
        .with("T", setting.horizon());
  }

  /** Draws R, V and pen over rounds: a figure for each measure and each figure of the paper. */
  List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (String figure : results.stream().map(r -> r.setting().figure()).distinct().toList()) {
      for (Measure measure : List.of(Measure.REGRET, Measure.VIOLATION, Measure.PENALIZED)) {
        String wire = measure.wire();
        Figure drawn = new Figure(figure + "-" + wire, "cclb, figure " + figure, "round", wire);
        for (Result result : results) {
          if (result.setting().figure().equals(figure)) {
            List<Integer> t = result.checkpoints();
            drawn.curve(
                curve(result.setting()),
                t.stream().mapToDouble(each -> each).toArray(),
                t.stream().mapToDouble(each -> result.sample(each, measure).mean()).toArray());
          }
        }
        figures.add(drawn);
      }
    }
    return figures;
  }

  private static String curve(CclbSetting setting) {
    String tilde = setting.effectAt() == EffectAt.TILDE ? " tilde" : "";
    String exact = setting.estimator() == Estimator.EXACT ? " exact" : "";
    String instance = setting.instance().equals(Scm.BASE) ? "" : " " + setting.instance();
    return setting.policy().wire()
        + " tau "
        + setting.tau()
        + " eps "
        + setting.eps()
        + tilde
        + exact
        + instance
        + " T "
        + setting.horizon();
  }
}
