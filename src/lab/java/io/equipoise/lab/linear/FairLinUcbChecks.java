package io.equipoise.lab.linear;

import io.equipoise.cli.report.Sample;
import io.equipoise.lab.Runs;
import io.equipoise.lab.linear.ClassroomRun.RunMeasures;
import io.equipoise.lab.linear.FairLinUcbSetting.Order;
import io.equipoise.lab.linear.FairLinUcbSetting.Reward;
import io.equipoise.lab.report.Checks;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Compares a replication of Fair-LinUCB with reference results, and its settings with each other.
 */
record FairLinUcbChecks(Runs<FairLinUcbSetting, RunMeasures> trials, Checks checks) {
  private static final double LOSS_TOLERANCE = 0.012;
  private static final double GAP_TOLERANCE = 0.02;

  /** A gap that counts as closed. */
  private static final double SMALL_GAP = 0.005;

  /** No gap and no loss is greater: rewards lie between 0 and 1. */
  private static final double MOST = 1;

  private static final FairLinUcbSetting LINUCB = FairLinUcbSetting.linUcb();
  private static final FairLinUcbSetting BEST = FairLinUcbSetting.fair(Tables.BEST);
  private static final Order FEMALES = Order.FEMALES_FIRST;
  private static final Order MALES = Order.MALES_FIRST;

  private record Reference(String name, FairLinUcbSetting setting, double loss, double gap) {}

  /** Means over 10 trials of other random streams on the real files. */
  private static final List<Reference> REFERENCES =
      List.of(
          new Reference("gamma 0", FairLinUcbSetting.fair(0), .052, .026),
          new Reference("gamma 1", FairLinUcbSetting.fair(1), .046, .017),
          new Reference("gamma 2", FairLinUcbSetting.fair(2), .045, .009),
          new Reference("gamma 3", BEST, .058, .001),
          new Reference("gamma 4", FairLinUcbSetting.fair(4), .085, .000),
          new Reference("linucb", LINUCB, .052, .026),
          new Reference("linucb-unaware", FairLinUcbSetting.naive(), .050, .029),
          new Reference("linucb r2", LINUCB.with(Reward.R2), .043, .005),
          new Reference("gamma 3 r2", BEST.with(Reward.R2), .043, .007),
          new Reference("linucb arms 70", LINUCB.withMaleArms(70), .052, .028),
          new Reference("gamma 3 arms 70", BEST.withMaleArms(70), .052, .003),
          new Reference("linucb arms 50", LINUCB.withMaleArms(50), .044, .008),
          new Reference("gamma 3 arms 50", BEST.withMaleArms(50), .147, .000),
          new Reference("linucb females-first", LINUCB.ordered(FEMALES), .047, .018),
          new Reference("gamma 3 females-first", BEST.ordered(FEMALES), .051, .019),
          new Reference("reset females-first", BEST.resetting().ordered(FEMALES), .060, .001),
          new Reference("linucb males-first", LINUCB.ordered(MALES), .055, .041),
          new Reference("gamma 3 males-first", BEST.ordered(MALES), .088, .024),
          new Reference("reset males-first", BEST.resetting().ordered(MALES), .101, .001));

  /**
   * Compares with the reference, on the real files. The bounds of a mean are reference +-
   * (tolerance + 3 standard errors of the trials). A gap at gamma 3 or 4 in a shuffled stream is at
   * most .005 plus the errors.
   */
  void references() {
    for (Reference reference : REFERENCES) {
      FairLinUcbSetting setting = reference.setting();
      if (!trials.has(setting)) {
        continue;
      }
      Sample loss = trials.sample(setting, RunMeasures::loss);
      Sample gap = trials.sample(setting, RunMeasures::gap);
      if (loss.n() == 1) {
        checks.skip(reference.name(), "one trial says nothing of the spread");
        continue;
      }
      double distance = LOSS_TOLERANCE + 3 * loss.error();
      checks.near("loss " + reference.name(), loss.mean(), reference.loss(), distance);
      double most =
          reference.gap() <= SMALL_GAP && setting.reward() == Reward.R
              ? SMALL_GAP
              : reference.gap() + GAP_TOLERANCE;
      double least = Math.max(0, reference.gap() - GAP_TOLERANCE - 3 * gap.error());
      checks.add("gap " + reference.name(), gap.mean(), least, most + 3 * gap.error());
    }
  }

  /**
   * Checks the orders that hold in any population. The gap at gamma 3 is below that at 0, and the
   * loss rises past gamma 2. In every world the gap of the adaptive gamma is at most the greater of
   * gamma 3's and {@value #SMALL_GAP}, plus three standard errors. On the real files its loss is
   * also at most gamma 3's plus three standard errors of the difference; in a generated population
   * another gamma than 3 may be best.
   */
  void orders(boolean isReal) {
    FairLinUcbSetting zero = FairLinUcbSetting.fair(0);
    FairLinUcbSetting none = trials.has(zero) ? zero : LINUCB;
    if (trials.has(none) && trials.has(BEST)) {
      Sample falls = trials.difference(BEST, 1, none, RunMeasures::gap);
      checks.add("gap gamma 3 - gamma 0", falls.mean(), -MOST, 0);
    }
    for (int gamma = 3; gamma <= 4; gamma++) {
      FairLinUcbSetting one = FairLinUcbSetting.fair(gamma);
      FairLinUcbSetting other = FairLinUcbSetting.fair(gamma - 1);
      if (trials.has(FairLinUcbSetting.fair(2)) && trials.has(FairLinUcbSetting.fair(4))) {
        Sample rises = trials.difference(one, 1, other, RunMeasures::loss);
        checks.add("loss gamma " + gamma + " - gamma " + (gamma - 1), rises.mean(), 0, MOST);
      }
    }
    for (int maleArms : Tables.MALE_ARMS) {
      adaptive(setting -> setting.withMaleArms(maleArms), isReal);
    }
    adaptive(setting -> setting.ordered(FEMALES), isReal);
    adaptive(setting -> setting.ordered(MALES), isReal);
  }

  private void adaptive(UnaryOperator<FairLinUcbSetting> world, boolean isReal) {
    FairLinUcbSetting adaptive = world.apply(FairLinUcbSetting.adaptive());
    FairLinUcbSetting fixed = world.apply(BEST);
    if (!trials.has(adaptive) || !trials.has(fixed)) {
      return;
    }
    String name = " arms " + adaptive.maleArms() + " " + adaptive.order().wire();
    Sample gap = trials.sample(adaptive, RunMeasures::gap);
    Sample fixedGap = trials.sample(fixed, RunMeasures::gap);
    Sample loss = trials.difference(adaptive, 1, fixed, RunMeasures::loss);
    if (gap.n() == 1) {
      checks.skip("adaptive" + name, "one trial has no standard error");
      return;
    }
    double most = Math.max(fixedGap.mean(), SMALL_GAP) + 3 * gap.error();
    checks.add("adaptive gap" + name, gap.mean(), 0, most);
    if (isReal) {
      checks.add("adaptive loss - gamma 3's" + name, loss.mean(), -MOST, 3 * loss.error());
    }
  }
}
