package io.equipoise.lab.linear;

import io.equipoise.lab.linear.Setting.Order;
import io.equipoise.lab.linear.Setting.Reward;
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
    curves.add("figure-2", "reward r", setting -> setting);
    curves.add("figure-1", "reward r2", setting -> setting.with(Reward.R2));
    for (Order order : List.of(Order.FEMALES_FIRST, Order.MALES_FIRST)) {
      curves.add(
          "figure-3-" + order.wire(),
          "7:3 male speakers, " + order.wire(),
          setting -> setting.withMaleArms(70).with(order));
    }
    for (int maleArms : Tables.MALE_ARMS) {
      curves.add(
          "arms-" + maleArms,
          maleArms + " male speakers of 100",
          setting -> setting.withMaleArms(maleArms));
    }
    return curves.figures;
  }

  private void add(String key, String title, Function<Setting, Setting> world) {
    Figure figure = new Figure(key, title, "round (test from 3000)", "mean reward so far");
    boolean isDrawn = false;
    for (Setting base : List.of(Setting.linUcb(), Setting.fair(Tables.BEST), Setting.adaptive())) {
      Setting setting = world.apply(base);
      if (trials.has(setting)) {
        isDrawn = true;
        String name = base.policy() + " " + base.gammaCell();
        curve(figure, name + " male", trials.of(setting), Measures::maleCurve);
        curve(figure, name + " female", trials.of(setting), Measures::femaleCurve);
      }
    }
    if (isDrawn) {
      figures.add(figure);
    }
  }

  private static void curve(
      Figure figure, String name, List<Measures> measures, Function<Measures, double[]> curve) {
    int points = curve.apply(measures.get(0)).length;
    List<double[]> kept = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      double sum = 0;
      for (Measures one : measures) {
        sum += curve.apply(one)[i];
      }
      if (!Double.isNaN(sum)) {
        kept.add(new double[] {(i + 1.0) * Measures.STEP, sum / measures.size()});
      }
    }
    figure.curve(
        name,
        kept.stream().mapToDouble(point -> point[0]).toArray(),
        kept.stream().mapToDouble(point -> point[1]).toArray());
  }
}
