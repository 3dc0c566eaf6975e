package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbExperiment.Result;
import io.equipoise.lab.cclb.CclbReference.Entry;
import io.equipoise.lab.cclb.CclbReference.Moments;
import io.equipoise.lab.cclb.CclbReference.Single;
import io.equipoise.lab.cclb.Totals.Measure;
import io.equipoise.lab.report.Checks;
import io.equipoise.policy.logistic.PolicyParameters.EffectAt;
import java.util.List;

/**
 * Compares results with reference means. The bounds of a mean over r trials are mean +- (4 sd
 * sqrt(1/reps + 1/r) + 0.02 |mean| + 0.5), at the last of the reference's rounds that the trials
 * reach; the totals of single seeds agree to 1e-6.
 *
 * @param horizon T of the reference's runs of the base model
 */
record CclbChecks(CclbReference reference, int horizon, Checks checks) {
  private static final double EXACTLY = 1e-6;

  static String name(CclbSetting setting) {
    return String.format(
        "%s%s %s %s tau %s eps %s%s",
        setting.figure().equals(CclbSetting.NO_FIGURE) ? "" : setting.figure() + " ",
        setting.policy().wire(),
        setting.estimator(),
        setting.instance(),
        setting.tau(),
        setting.eps(),
        setting.effectAt() == EffectAt.TILDE ? " tilde" : "");
  }

  void means(Result result) {
    CclbSetting setting = result.setting();
    List<Entry> entries =
        reference.of(setting).stream()
            .filter(entry -> entry.horizon(horizon) == setting.horizon())
            .toList();
    if (entries.isEmpty()) {
      checks.skip(name(setting), "no reference with T = " + setting.horizon());
      return;
    }
    Entry last = null;
    for (Entry entry : entries) {
      last = result.hasCheckpoint(entry.t()) ? entry : last;
    }
    if (last == null) {
      checks.skip(
          name(setting),
          String.format(
              "only %d rounds were run, the reference begins at %d",
              setting.rounds(), entries.get(0).t()));
    } else if (last.reps() == 1 && !result.seeds().equals(List.of(1L))) {
      checks.skip(name(setting), "the reference is one run, of seed 1");
    } else {
      means(result, last);
    }
  }

  private void means(Result result, Entry entry) {
    int r = result.seeds().size();
    for (Measure measure : Measure.REFERENCED) {
      Moments wanted = entry.of(measure);
      double half =
          4 * wanted.sd() * Math.sqrt(1.0 / entry.reps() + 1.0 / r)
              + 0.02 * Math.abs(wanted.mean())
              + 0.5;
      String name = measure.wire() + " " + name(result.setting()) + " at " + entry.t();
      checks.near(name, result.sample(entry.t(), measure).mean(), wanted.mean(), half);
    }
  }

  /** Checks the totals of single seeds of a policy's own run. */
  void totals(Result result) {
    if (result.setting().rounds() != CclbReference.TOTALS_ROUNDS) {
      return;
    }
    for (int trial = 0; trial < result.seeds().size(); trial++) {
      long seed = result.seeds().get(trial);
      Single single = reference.single(result.setting().policy(), seed);
      if (single != null) {
        Totals totals = result.last(trial);
        String of = " " + result.setting().policy().wire() + " seed " + seed;
        exactly("R" + of, totals.get(Measure.REGRET), single.regret());
        exactly("V" + of, totals.get(Measure.VIOLATION), single.violation());
        exactly("nv" + of, totals.get(Measure.VIOLATIONS), single.violations());
        exactly("pen" + of, totals.get(Measure.PENALIZED), single.penalized());
        exactly("phi" + of, totals.get(Measure.PHI), single.phi());
      }
    }
  }

  private void exactly(String name, double value, double wanted) {
    checks.near(name, value, wanted, EXACTLY);
  }
}
