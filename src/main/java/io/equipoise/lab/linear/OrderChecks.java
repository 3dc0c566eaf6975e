package io.equipoise.lab.linear;

import io.equipoise.lab.linear.FairLinUcbSetting.Order;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * What holds of Fair-LinUCB in any population: the gap at gamma 3 is below that at 0, the loss
 * rises past gamma 2, and the adaptive gamma needs no tuning: in every world its gap is at most the
 * greater of gamma 3's and {@value #SMALL_GAP}, plus three standard errors. On the real files its
 * loss is also at most gamma 3's plus three standard errors of the difference; elsewhere gamma 3
 * may happen to be better than what is best on them.
 */
final class OrderChecks {
  private static final double SMALL_GAP = 0.005;

  /** No gap and no loss is greater: rewards lie between 0 and 1. */
  private static final double MOST = 1;

  private final ClassroomTrials trials;
  private final boolean isReal;
  private final List<Check> checks;
  private final List<Skipped> skipped;

  OrderChecks(ClassroomTrials trials, boolean isReal, List<Check> checks, List<Skipped> skipped) {
    this.trials = trials;
    this.isReal = isReal;
    this.checks = checks;
    this.skipped = skipped;
  }

  void add() {
    FairLinUcbSetting none =
        trials.has(FairLinUcbSetting.fair(0))
            ? FairLinUcbSetting.fair(0)
            : FairLinUcbSetting.linUcb();
    if (trials.has(none) && trials.has(FairLinUcbSetting.fair(Tables.BEST))) {
      falls("gap gamma 3 - gamma 0", FairLinUcbSetting.fair(Tables.BEST), none);
    }
    if (trials.has(FairLinUcbSetting.fair(2)) && trials.has(FairLinUcbSetting.fair(4))) {
      rises("loss gamma 3 - gamma 2", FairLinUcbSetting.fair(3), FairLinUcbSetting.fair(2));
      rises("loss gamma 4 - gamma 3", FairLinUcbSetting.fair(4), FairLinUcbSetting.fair(3));
    }
    for (FairLinUcbSetting world : worlds()) {
      adaptive(world);
    }
  }

  private static List<FairLinUcbSetting> worlds() {
    List<FairLinUcbSetting> worlds = new ArrayList<>();
    for (int maleArms : Tables.MALE_ARMS) {
      worlds.add(FairLinUcbSetting.adaptive().withMaleArms(maleArms));
    }
    worlds.add(FairLinUcbSetting.adaptive().withMaleArms(70).with(Order.FEMALES_FIRST));
    worlds.add(FairLinUcbSetting.adaptive().withMaleArms(70).with(Order.MALES_FIRST));
    return worlds;
  }

  private void falls(String name, FairLinUcbSetting one, FairLinUcbSetting other) {
    Sample difference = trials.difference(one, other, RunMeasures::gap);
    checks.add(Check.of(name, difference.mean(), -MOST, 0));
  }

  private void rises(String name, FairLinUcbSetting one, FairLinUcbSetting other) {
    Sample difference = trials.difference(one, other, RunMeasures::loss);
    checks.add(Check.of(name, difference.mean(), 0, MOST));
  }

  private void adaptive(FairLinUcbSetting adaptive) {
    FairLinUcbSetting fixed =
        FairLinUcbSetting.fair(Tables.BEST)
            .withMaleArms(adaptive.maleArms())
            .with(adaptive.order());
    if (!trials.has(adaptive) || !trials.has(fixed)) {
      return;
    }
    String world = " arms " + adaptive.maleArms() + " " + adaptive.order().wire();
    Sample gap = trials.sample(adaptive, RunMeasures::gap);
    Sample fixedGap = trials.sample(fixed, RunMeasures::gap);
    Sample loss = trials.difference(adaptive, fixed, RunMeasures::loss);
    Double gapError = gap.standardError();
    Double lossError = loss.standardError();
    if (gapError == null || lossError == null) {
      skipped.add(new Skipped("adaptive" + world, "one trial has no standard error"));
      return;
    }
    double most = Math.max(fixedGap.mean(), SMALL_GAP) + 3 * gapError;
    checks.add(Check.of("adaptive gap" + world, gap.mean(), 0, most));
    if (isReal) {
      checks.add(Check.of("adaptive loss - gamma 3's" + world, loss.mean(), -MOST, 3 * lossError));
    }
  }
}
