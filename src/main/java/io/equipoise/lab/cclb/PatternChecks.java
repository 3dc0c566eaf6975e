package io.equipoise.lab.cclb;

import io.equipoise.event.AuditVerdict;
import io.equipoise.lab.cclb.CclbReference.Entry;
import io.equipoise.lab.cclb.CclbReference.Measure;
import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.policy.logistic.PolicyParameters.EffectAt;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the figures say: the order of the policies in Figure 2, with effects at the estimate,
 * and what coverage does. An order is held only where the reference gap is more than four standard
 * errors of the trials run.
 */
final class PatternChecks {
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

  private final CclbReference cclbReference;
  private final List<Result> results;
  private final int horizon;
  private final List<Check> checks = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();

  PatternChecks(CclbReference cclbReference, List<Result> results, int horizon) {
    this.cclbReference = cclbReference;
    this.results = results;
    this.horizon = horizon;
  }

  List<Check> checks() {
    return checks;
  }

  List<Skipped> skipped() {
    return skipped;
  }

  /** Checks Figure 2's orders at T. */
  void order() {
    for (Estimator estimator : Estimator.values()) {
      for (int i = 1; i < BY_REGRET.size(); i++) {
        ascending(estimator, "R", Totals::regret, BY_REGRET.get(i - 1), BY_REGRET.get(i));
        LogisticPolicyName smaller = BY_VIOLATION.get(i - 1);
        LogisticPolicyName greater = BY_VIOLATION.get(i);
        ascending(estimator, "V", Totals::violation, smaller, greater);
        ascending(estimator, "pen", Totals::penalized, smaller, greater);
      }
    }
  }

  private void ascending(
      Estimator estimator,
      String measure,
      ToDoubleFunction<Totals> of,
      LogisticPolicyName smaller,
      LogisticPolicyName greater) {
    Result low = find(Figures.FIGURE_2, smaller, estimator, Scm.BASE, 0);
    Result high = find(Figures.FIGURE_2, greater, estimator, Scm.BASE, 0);
    String name =
        String.format("%s %s - %s %s", measure, greater.wire(), smaller.wire(), estimator);
    if (low == null || high == null) {
      return;
    }
    if (!low.hasCheckpoint(horizon) || !high.hasCheckpoint(horizon)) {
      skipped.add(new Skipped(name, "fewer than " + horizon + " rounds were run"));
      return;
    }
    Measure ofLow = wanted(low.setting(), measure);
    Measure ofHigh = wanted(high.setting(), measure);
    double error = Math.hypot(ofLow.sd(), ofHigh.sd()) / Math.sqrt(low.seeds().size());
    double gap = ofHigh.mean() - ofLow.mean();
    if (gap <= 4 * error) {
      String why =
          String.format(
              Locale.ROOT,
              "the expected gap, %.1f, is within four standard errors of %d trials, %.1f",
              gap,
              low.seeds().size(),
              4 * error);
      skipped.add(new Skipped(name, why));
      return;
    }
    double value = high.sample(horizon, of).mean() - low.sample(horizon, of).mean();
    double most = 2.0 * horizon; // in a round, all three lie between -1 and 1
    checks.add(Check.of(name, value, 0, most));
  }

  private Measure wanted(CclbSetting cclbSetting, String measure) {
    Entry last = null;
    for (Entry entry : cclbReference.of(cclbSetting)) {
      last = entry.t() == horizon ? entry : last;
    }
    return Objects.requireNonNull(last, "no reference of " + cclbSetting).measure(measure);
  }

  /** Checks what the audit says where traffic covers no counterfactual, and how V grows. */
  void coverage() {
    for (Result result : results) {
      CclbSetting cclbSetting = result.setting();
      boolean hasNoOverlap =
          cclbSetting.instance().equals(Scm.HOMOGENEOUS)
              || cclbSetting.instance().startsWith(Scm.NO_PROBE);
      if (cclbSetting.isAudited()) {
        nought(result, "wrong", Totals::wrong);
      }
      if (cclbSetting.isAudited() && hasNoOverlap) {
        nought(result, "uncertain", totals -> totals.verdict(AuditVerdict.UNCERTAIN));
        nought(result, "undecided but covered", totals -> totals.verdict(AuditVerdict.FAIR));
      }
    }
    growth(LogisticPolicyName.FORCED_EXPLORATION, 0, FORCED_EXPLORATION_GROWS_BELOW);
    growth(LogisticPolicyName.CCLB, CCLB_GROWS_ABOVE, Double.POSITIVE_INFINITY);
  }

  private void nought(Result result, String what, ToDoubleFunction<Totals> measure) {
    double value = result.sample(result.setting().rounds(), measure).mean();
    checks.add(Check.of(what + " " + CclbChecks.name(result.setting()), value, 0.0, 0.0));
  }

  private void growth(LogisticPolicyName policy, double low, double high) {
    String instance = Scm.NON_COVERED + "-Q";
    Result once = find(Figures.COVERAGE, policy, Estimator.STREAMING, instance, horizon);
    Result longer =
        find(Figures.COVERAGE, policy, Estimator.STREAMING, instance, Figures.LONGER * horizon);
    String name = "growth of V of " + policy.wire() + ", T = 10000 to 50000";
    if (once == null
        || longer == null
        || !once.hasCheckpoint(horizon)
        || !longer.hasCheckpoint(Figures.LONGER * horizon)) {
      skipped.add(new Skipped(name, "both lengths are needed"));
      return;
    }
    double atOnce = once.sample(horizon, Totals::violation).mean();
    double atLonger = longer.sample(Figures.LONGER * horizon, Totals::violation).mean();
    if (atOnce == 0) {
      skipped.add(new Skipped(name, "there was no violation to grow"));
      return;
    }
    double most = Figures.LONGER * horizon / atOnce; // a round adds at most 1
    checks.add(Check.of(name, atLonger / atOnce, low, Math.min(high, most)));
  }

  /** Returns the first result with these; 0 stands for any horizon. */
  private @Nullable Result find(
      String figure, LogisticPolicyName policy, Estimator estimator, String instance, int ofRun) {
    for (Result result : results) {
      CclbSetting cclbSetting = result.setting();
      if (cclbSetting.figure().equals(figure)
          && cclbSetting.policy() == policy
          && cclbSetting.estimator() == estimator
          && cclbSetting.instance().equals(instance)
          && cclbSetting.effectAt() == EffectAt.HAT
          && (ofRun == 0 || cclbSetting.horizon() == ofRun)) {
        return result;
      }
    }
    return null;
  }
}
