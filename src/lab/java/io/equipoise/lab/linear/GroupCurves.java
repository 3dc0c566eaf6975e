package io.equipoise.lab.linear;

import io.equipoise.cli.report.Figure;
import io.equipoise.lab.Runs;
import io.equipoise.lab.linear.ClassroomRun.RunMeasures;
import io.equipoise.lab.linear.FairLinUcbSetting.Order;
import io.equipoise.lab.linear.FairLinUcbSetting.Reward;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Draws the mean reward of both groups since the start of the training or test phase, as Figures 1
 * to 3 do; means over trials. Figure 1 is reward r2, 2 is r, 3 the ordered streams.
 */
final class GroupCurves {
  private final Runs<FairLinUcbSetting, RunMeasures> trials;
  private final List<Figure> figures = new ArrayList<>();

  private GroupCurves(Runs<FairLinUcbSetting, RunMeasures> trials) {
    this.trials = trials;
  }

  /** Returns the figures that have runs. */
  static List<Figure> of(Runs<FairLinUcbSetting, RunMeasures> trials) {
    GroupCurves curves = new GroupCurves(trials);
    curves.add("figure-2", "reward r", setting -> setting);
    curves.add("figure-1", "reward r2", setting -> setting.with(Reward.R2));
    for (Order order : List.of(Order.FEMALES_FIRST, Order.MALES_FIRST)) {
      String title = "7:3 male speakers, " + order.wire();
      curves.add("figure-3-" + order.wire(), title, setting -> setting.ordered(order));
    }
    for (int arms : Tables.MALE_ARMS) {
      String title = arms + " male speakers of 100";
      curves.add("arms-" + arms, title, setting -> setting.withMaleArms(arms));
    }
    return curves.figures;
  }

  private void add(String key, String title, UnaryOperator<FairLinUcbSetting> world) {
    List<FairLinUcbSetting> drawn =
        Stream.of(
                FairLinUcbSetting.linUcb(),
                FairLinUcbSetting.fair(Tables.BEST),
                FairLinUcbSetting.adaptive())
            .map(world)
            .filter(trials::has)
            .toList();
    if (!drawn.isEmpty()) {
      Figure figure = new Figure(key, title, "round (test from 3000)", "mean reward so far");
      for (FairLinUcbSetting setting : drawn) {
        String name = setting.policy() + " " + setting.gammaCell();
        curve(figure, name + " male", trials.of(setting), RunMeasures::maleCurve);
        curve(figure, name + " female", trials.of(setting), RunMeasures::femaleCurve);
      }
      figures.add(figure);
    }
  }

  private static void curve(
      Figure figure,
      String name,
      List<RunMeasures> measures,
      Function<RunMeasures, double[]> curve) {
    List<double[]> kept = new ArrayList<>();
    for (int i = 0; i < curve.apply(measures.get(0)).length; i++) {
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
