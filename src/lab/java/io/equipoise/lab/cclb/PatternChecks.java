package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbExperiment.Result;
import io.equipoise.lab.cclb.CclbReference.Entry;
import io.equipoise.lab.cclb.CclbReference.Moments;
import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.lab.cclb.Totals.Measure;
import io.equipoise.lab.report.Checks;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.policy.logistic.PolicyParameters.EffectAt;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks the patterns of the figures: the order of the policies in Figure 2, with effects at the
 * estimate, and the results of coverage. An order is checked only if the reference gap exceeds four
 * standard errors of the trials.
 */
record PatternChecks(CclbReference reference, List<Result> results, int horizon, Checks checks) {
  private static final List<LogisticPolicyName> BY_REGRET =
      List.of(
          LogisticPolicyName.OFULOG,
          LogisticPolicyName.CCLB,
          LogisticPolicyName.EPS_CCLB,
          LogisticPolicyName.GLM_UCB);
  private static final List<LogisticPolicyName> BY_VIOLATION =
      List.of(
          LogisticPolicyName.EPS_CCLB,
          LogisticPolicyName.CCLB,
          LogisticPolicyName.OFULOG,
          LogisticPolicyName.GLM_UCB);
  private static final double FORCED_EXPLORATION_GROWS_BELOW = 3;
  private static final double CCLB_GROWS_ABOVE = 4;

  /** Checks Figure 2's orders at T. */
  void order() {
    for (Estimator estimator : Estimator.values()) {
      for (int i = 1; i < BY_REGRET.size(); i++) {
        ascending(estimator, Measure.REGRET, BY_REGRET.get(i - 1), BY_REGRET.get(i));
        LogisticPolicyName smaller = BY_VIOLATION.get(i - 1);
        LogisticPolicyName greater = BY_VIOLATION.get(i);
        ascending(estimator, Measure.VIOLATION, smaller, greater);
        ascending(estimator, Measure.PENALIZED, smaller, greater);
      }
    }
  }

  private void ascending(
      Estimator estimator,
      Measure measure,
      LogisticPolicyName smaller,
      LogisticPolicyName greater) {
    Result low = find(Figures.FIGURE_2, smaller, estimator, Scm.BASE, 0);
    Result high = find(Figures.FIGURE_2, greater, estimator, Scm.BASE, 0);
    if (low == null || high == null) {
      return;
    }
    String name =
        String.format("%s %s - %s %s", measure.wire(), greater.wire(), smaller.wire(), estimator);
    if (!low.hasCheckpoint(horizon) || !high.hasCheckpoint(horizon)) {
      checks.skip(name, "fewer than " + horizon + " rounds were run");
      return;
    }
    Moments ofLow = wanted(low.setting(), measure);
    Moments ofHigh = wanted(high.setting(), measure);
    int trials = low.seeds().size();
    double error = Math.hypot(ofLow.sd(), ofHigh.sd()) / Math.sqrt(trials);
    if (checks.isWide(name, ofHigh.mean() - ofLow.mean(), error, trials, 1)) {
      double value = high.sample(horizon, measure).mean() - low.sample(horizon, measure).mean();
      double most = 2.0 * horizon; // in a round, all three lie between -1 and 1
      checks.add(name, value, 0, most);
    }
  }

  private Moments wanted(CclbSetting setting, Measure measure) {
    Entry last = null;
    for (Entry entry : reference.of(setting)) {
      last = entry.t() == horizon ? entry : last;
    }
    return Objects.requireNonNull(last, "no reference of " + setting).of(measure);
  }

  /** Checks the audits of traffic that covers no counterfactual, and the growth of V. */
  void coverage() {
    for (Result result : results) {
      CclbSetting setting = result.setting();
      if (setting.isAudited()) {
        zero(result, "wrong", Measure.WRONG);
        if (setting.instance().equals(Scm.HOMOGENEOUS)
            || setting.instance().startsWith(Scm.NO_PROBE)) {
          zero(result, "uncertain", Measure.UNCERTAIN);
          zero(result, "undecided but covered", Measure.FAIR);
        }
      }
    }
    growth(LogisticPolicyName.FORCED_EXPLORATION, 0, FORCED_EXPLORATION_GROWS_BELOW);
    growth(LogisticPolicyName.CCLB, CCLB_GROWS_ABOVE, Double.POSITIVE_INFINITY);
  }

  private void zero(Result result, String what, Measure measure) {
    double value = result.sample(result.setting().rounds(), measure).mean();
    checks.add(what + " " + CclbChecks.name(result.setting()), value, 0.0, 0.0);
  }

  private void growth(LogisticPolicyName policy, double low, double high) {
    String instance = Scm.NON_COVERED + "-Q";
    int later = Figures.LONGER * horizon;
    Result once = find(Figures.COVERAGE, policy, Estimator.STREAMING, instance, horizon);
    Result longer = find(Figures.COVERAGE, policy, Estimator.STREAMING, instance, later);
    String name = "growth of V of " + policy.wire() + ", T = 10000 to 50000";
    if (once == null
        || longer == null
        || !once.hasCheckpoint(horizon)
        || !longer.hasCheckpoint(later)) {
      checks.skip(name, "both lengths are needed");
      return;
    }
    double atOnce = once.sample(horizon, Measure.VIOLATION).mean();
    if (atOnce == 0) {
      checks.skip(name, "there was no violation to grow");
      return;
    }
    double most = later / atOnce; // a round adds at most 1
    double growth = longer.sample(later, Measure.VIOLATION).mean() / atOnce;
    checks.add(name, growth, low, Math.min(high, most));
  }

  /** Returns the first result of a run with effects at the estimate; 0 means any horizon. */
  private @Nullable Result find(
      String figure, LogisticPolicyName policy, Estimator estimator, String instance, int ofRun) {
    for (Result result : results) {
      CclbSetting setting = result.setting();
      if (setting.figure().equals(figure)
          && setting.policy() == policy
          && setting.estimator() == estimator
          && setting.instance().equals(instance)
          && setting.effectAt() == EffectAt.HAT
          && (ofRun == 0 || setting.horizon() == ofRun)) {
        return result;
      }
    }
    return null;
  }
}
