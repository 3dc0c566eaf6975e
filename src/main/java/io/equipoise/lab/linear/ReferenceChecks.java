package io.equipoise.lab.linear;

import io.equipoise.lab.linear.FairLinUcbSetting.Order;
import io.equipoise.lab.linear.FairLinUcbSetting.Reward;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Sample;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Holds a replication on the real files against reference results over 10 trials of other random
 * streams. The bounds of a mean are reference +- (tolerance + 3 standard errors of the trials that
 * were run); the tolerance of a loss is .012, that of a gap .02, and a gap at gamma 3 or 4 in a
 * shuffled stream is at most .005 plus the errors.
 */
final class ReferenceChecks {
  private static final double LOSS_TOLERANCE = 0.012;
  private static final double GAP_TOLERANCE = 0.02;
  private static final double CLOSED = 0.005;

  private record Reference(String name, FairLinUcbSetting setting, double loss, double gap) {}

  private static final List<Reference> REFERENCES =
      List.of(
          new Reference("gamma 0", FairLinUcbSetting.fair(0), .052, .026),
          new Reference("gamma 1", FairLinUcbSetting.fair(1), .046, .017),
          new Reference("gamma 2", FairLinUcbSetting.fair(2), .045, .009),
          new Reference("gamma 3", FairLinUcbSetting.fair(3), .058, .001),
          new Reference("gamma 4", FairLinUcbSetting.fair(4), .085, .000),
          new Reference("linucb", FairLinUcbSetting.linUcb(), .052, .026),
          new Reference("linucb-unaware", FairLinUcbSetting.naive(), .050, .029),
          new Reference("linucb r2", FairLinUcbSetting.linUcb().with(Reward.R2), .043, .005),
          new Reference("gamma 3 r2", FairLinUcbSetting.fair(3).with(Reward.R2), .043, .007),
          new Reference("linucb arms 70", FairLinUcbSetting.linUcb().withMaleArms(70), .052, .028),
          new Reference("gamma 3 arms 70", FairLinUcbSetting.fair(3).withMaleArms(70), .052, .003),
          new Reference("linucb arms 50", FairLinUcbSetting.linUcb().withMaleArms(50), .044, .008),
          new Reference("gamma 3 arms 50", FairLinUcbSetting.fair(3).withMaleArms(50), .147, .000),
          ordered(
              "linucb females-first", FairLinUcbSetting.linUcb(), Order.FEMALES_FIRST, .047, .018),
          ordered(
              "gamma 3 females-first", FairLinUcbSetting.fair(3), Order.FEMALES_FIRST, .051, .019),
          ordered("reset females-first", resetting(), Order.FEMALES_FIRST, .060, .001),
          ordered("linucb males-first", FairLinUcbSetting.linUcb(), Order.MALES_FIRST, .055, .041),
          ordered("gamma 3 males-first", FairLinUcbSetting.fair(3), Order.MALES_FIRST, .088, .024),
          ordered("reset males-first", resetting(), Order.MALES_FIRST, .101, .001));

  private ReferenceChecks() {}

  private static FairLinUcbSetting resetting() {
    return FairLinUcbSetting.fair(Tables.BEST).resetting();
  }

  private static Reference ordered(
      String name, FairLinUcbSetting fairLinUcbSetting, Order order, double loss, double gap) {
    return new Reference(name, fairLinUcbSetting.withMaleArms(70).with(order), loss, gap);
  }

  static void add(ClassroomTrials trials, List<Check> checks, List<Skipped> skipped) {
    for (Reference reference : REFERENCES) {
      FairLinUcbSetting fairLinUcbSetting = reference.setting();
      if (!trials.has(fairLinUcbSetting)) {
        continue;
      }
      if (trials.of(fairLinUcbSetting).size() == 1) {
        skipped.add(new Skipped(reference.name(), "one trial says nothing of the spread"));
        continue;
      }
      double lossError = error(trials, fairLinUcbSetting, RunMeasures::loss);
      double half = LOSS_TOLERANCE + 3 * lossError;
      double loss = trials.sample(fairLinUcbSetting, RunMeasures::loss).mean();
      checks.add(
          Check.of(
              "loss " + reference.name(), loss, reference.loss() - half, reference.loss() + half));
      double gapError = error(trials, fairLinUcbSetting, RunMeasures::gap);
      double gap = trials.sample(fairLinUcbSetting, RunMeasures::gap).mean();
      double most =
          reference.gap() <= CLOSED && fairLinUcbSetting.reward() == Reward.R
              ? CLOSED
              : reference.gap() + GAP_TOLERANCE;
      double least = Math.max(0, reference.gap() - GAP_TOLERANCE - 3 * gapError);
      checks.add(Check.of("gap " + reference.name(), gap, least, most + 3 * gapError));
    }
  }

  private static double error(
      ClassroomTrials trials,
      FairLinUcbSetting fairLinUcbSetting,
      ToDoubleFunction<RunMeasures> metric) {
    Sample sample = trials.sample(fairLinUcbSetting, metric);
    Double error = sample.standardError();
    return error == null ? 0 : error;
  }
}
