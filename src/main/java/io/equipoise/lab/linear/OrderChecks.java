package io.equipoise.lab.linear;

import io.equipoise.lab.linear.Setting.Order;
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
    Setting none = trials.has(Setting.fair(0)) ? Setting.fair(0) : Setting.linUcb();
    if (trials.has(none) && trials.has(Setting.fair(Tables.BEST))) {
      falls("gap gamma 3 - gamma 0", Setting.fair(Tables.BEST), none);
    }
    if (trials.has(Setting.fair(2)) && trials.has(Setting.fair(4))) {
      rises("loss gamma 3 - gamma 2", Setting.fair(3), Setting.fair(2));
      rises("loss gamma 4 - gamma 3", Setting.fair(4), Setting.fair(3));
    }
    for (Setting world : worlds()) {
      adaptive(world);
    }
  }

  private static List<Setting> worlds() {
    List<Setting> worlds = new ArrayList<>();
    for (int maleArms : Tables.MALE_ARMS) {
      worlds.add(Setting.adaptive().withMaleArms(maleArms));
    }
    worlds.add(Setting.adaptive().withMaleArms(70).with(Order.FEMALES_FIRST));
    worlds.add(Setting.adaptive().withMaleArms(70).with(Order.MALES_FIRST));
    return worlds;
  }

  private void falls(String name, Setting one, Setting other) {
    Sample difference = trials.difference(one, other, Measures::gap);
    checks.add(Check.of(name, difference.mean(), -MOST, 0));
  }

  private void rises(String name, Setting one, Setting other) {
    Sample difference = trials.difference(one, other, Measures::loss);
    checks.add(Check.of(name, difference.mean(), 0, MOST));
  }

  private void adaptive(Setting adaptive) {
    Setting fixed =
        Setting.fair(Tables.BEST).withMaleArms(adaptive.maleArms()).with(adaptive.order());
    if (!trials.has(adaptive) || !trials.has(fixed)) {
      return;
    }
    String world = " arms " + adaptive.maleArms() + " " + adaptive.order().wire();
    Sample gap = trials.sample(adaptive, Measures::gap);
    Sample fixedGap = trials.sample(fixed, Measures::gap);
    Sample loss = trials.difference(adaptive, fixed, Measures::loss);
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
