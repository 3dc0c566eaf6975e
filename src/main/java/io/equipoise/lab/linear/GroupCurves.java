package io.equipoise.lab.linear;

import io.equipoise.lab.linear.FairLinUcbSetting.Order;
import io.equipoise.lab.linear.FairLinUcbSetting.Reward;
import io.equipoise.lab.report.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Draws the mean reward of both groups over the rounds, in training and in test anew, as Figures 1
 * to 3 do; means over trials. Figure 1 is reward r2, 2 is r, 3 the ordered streams.
 */
final class GroupCurves {
  private final ClassroomTrials trials;
  private final List<Figure> figures = new ArrayList<>();

  private GroupCurves(ClassroomTrials trials) {
    this.trials = trials;
  }

  /** Returns the figures for which there are runs. */
  static List<Figure> of(ClassroomTrials trials) {
    GroupCurves curves = new GroupCurves(trials);
    curves.add("figure-2", "reward r", fairLinUcbSetting -> fairLinUcbSetting);
    curves.add("figure-1", "reward r2", fairLinUcbSetting -> fairLinUcbSetting.with(Reward.R2));
    for (Order order : List.of(Order.FEMALES_FIRST, Order.MALES_FIRST)) {
      curves.add(
          "figure-3-" + order.wire(),
          "7:3 male speakers, " + order.wire(),
          fairLinUcbSetting -> fairLinUcbSetting.withMaleArms(70).with(order));
    }
    for (int maleArms : Tables.MALE_ARMS) {
      curves.add(
          "arms-" + maleArms,
          maleArms + " male speakers of 100",
          fairLinUcbSetting -> fairLinUcbSetting.withMaleArms(maleArms));
    }
    return curves.figures;
  }

  private void add(String key, String title, Function<FairLinUcbSetting, FairLinUcbSetting> world) {
    Figure figure = new Figure(key, title, "round (test from 3000)", "mean reward so far");
    boolean isDrawn = false;
    for (FairLinUcbSetting base :
        List.of(
            FairLinUcbSetting.linUcb(),
            FairLinUcbSetting.fair(Tables.BEST),
            FairLinUcbSetting.adaptive())) {
      FairLinUcbSetting fairLinUcbSetting = world.apply(base);
      if (trials.has(fairLinUcbSetting)) {
        isDrawn = true;
        String name = base.policy() + " " + base.gammaCell();
        curve(figure, name + " male", trials.of(fairLinUcbSetting), RunMeasures::maleCurve);
        curve(figure, name + " female", trials.of(fairLinUcbSetting), RunMeasures::femaleCurve);
      }
    }
    if (isDrawn) {
      figures.add(figure);
    }
  }

  private static void curve(
      Figure figure,
      String name,
      List<RunMeasures> measures,
      Function<RunMeasures, double[]> curve) {
    int points = curve.apply(measures.get(0)).length;
    List<double[]> kept = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      double sum = 0;
      for (RunMeasures one : measures) {
        sum += curve.apply(one)[i];
      }
      if (!Double.isNaN(sum)) {
        kept.add(new double[] {(i + 1.0) * RunMeasures.STEP, sum / measures.size()});
      }
    }
    figure.curve(
        name,
        kept.stream().mapToDouble(point -> point[0]).toArray(),
        kept.stream().mapToDouble(point -> point[1]).toArray());
  }
}
