package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbReference.Entry;
import io.equipoise.lab.cclb.CclbReference.Measure;
import io.equipoise.lab.cclb.CclbReference.Single;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Holds results against reference means. The bounds of a mean over r trials are the
 * specification's: mean +- (4 sd sqrt(1/reps + 1/r) + 0.02 |mean| + 0.5), at the last of the
 * reference's rounds that was run; the totals of single seeds agree to 1e-6.
 */
final class CclbChecks {
  private static final double EXACTLY = 1e-6;
  private static final Map<String, ToDoubleFunction<Totals>> MEASURES = new LinkedHashMap<>();

  static {
    MEASURES.put("R", Totals::regret);
    MEASURES.put("V", Totals::violation);
    MEASURES.put("nv", Totals::violations);
    MEASURES.put("pen", Totals::penalized);
  }

  private final CclbReference cclbReference;
  private final int horizon;
  private final List<Check> checks = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();

  /**
   * Prepares to check.
   *
   * @param horizon T of the reference's runs of the base model
   */
  CclbChecks(CclbReference cclbReference, int horizon) {
    this.cclbReference = cclbReference;
    this.horizon = horizon;
  }

  List<Check> checks() {
    return checks;
  }

  List<Skipped> skipped() {
    return skipped;
  }

  static String name(CclbSetting cclbSetting) {
    String figure =
        cclbSetting.figure().equals(CclbSetting.NO_FIGURE) ? "" : cclbSetting.figure() + " ";
    String effectAt =
        cclbSetting.effectAt() == io.equipoise.policy.logistic.PolicyParameters.EffectAt.TILDE
            ? " tilde"
            : "";
    return figure
        + cclbSetting.policy().wire()
        + " "
        + cclbSetting.estimator()
        + " "
        + cclbSetting.instance()
        + " tau "
        + cclbSetting.tau()
        + " eps "
        + cclbSetting.eps()
        + effectAt;
  }

  void means(Result result) {
    CclbSetting cclbSetting = result.setting();
    List<Entry> entries =
        cclbReference.of(cclbSetting).stream()
            .filter(entry -> entry.horizon(horizon) == cclbSetting.horizon())
            .toList();
    if (entries.isEmpty()) {
      skipped.add(new Skipped(name(cclbSetting), "no reference with T = " + cclbSetting.horizon()));
      return;
    }
    Entry last = null;
    for (Entry entry : entries) {
      last = result.hasCheckpoint(entry.t()) ? entry : last;
    }
    if (last == null) {
      String why =
          "only "
              + cclbSetting.rounds()
              + " rounds were run, the reference begins at "
              + entries.get(0).t();
      skipped.add(new Skipped(name(cclbSetting), why));
    } else if (last.reps() == 1 && !result.seeds().equals(List.of(1L))) {
      skipped.add(new Skipped(name(cclbSetting), "the reference is one run, of seed 1"));
    } else {
      means(result, last);
    }
  }

  private void means(Result result, Entry entry) {
    int r = result.seeds().size();
    for (Map.Entry<String, ToDoubleFunction<Totals>> measure : MEASURES.entrySet()) {
      Measure wanted = entry.measure(measure.getKey());
      double half =
          4 * wanted.sd() * Math.sqrt(1.0 / entry.reps() + 1.0 / r)
              + 0.02 * Math.abs(wanted.mean())
              + 0.5;
      checks.add(
          Check.of(
              measure.getKey() + " " + name(result.setting()) + " at " + entry.t(),
              result.sample(entry.t(), measure.getValue()).mean(),
              wanted.mean() - half,
              wanted.mean() + half));
    }
  }

  /** Checks the totals of single seeds of a policy's own run. */
  void totals(Result result) {
    if (result.setting().rounds() != CclbReference.TOTALS_ROUNDS) {
      return;
    }
    for (int trial = 0; trial < result.seeds().size(); trial++) {
      long seed = result.seeds().get(trial);
      Single single = cclbReference.single(result.setting().policy(), seed);
      if (single != null) {
        Totals totals = result.last(trial);
        String of = " " + result.setting().policy().wire() + " seed " + seed;
        exactly("R" + of, totals.regret(), single.regret());
        exactly("V" + of, totals.violation(), single.violation());
        exactly("nv" + of, totals.violations(), single.nv());
        exactly("pen" + of, totals.penalized(), single.pen());
        exactly("phi" + of, totals.phi(), single.phi());
      }
    }
  }

  private void exactly(String name, double value, double wanted) {
    checks.add(Check.of(name, value, wanted - EXACTLY, wanted + EXACTLY));
  }
}
