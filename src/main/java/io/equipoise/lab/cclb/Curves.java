package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.lab.report.Figure;
import io.equipoise.policy.logistic.PolicyParameters.EffectAt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Draws R, V and pen over rounds: a figure for each measure and each figure of the paper. */
final class Curves {
  private static final Map<String, ToDoubleFunction<Totals>> MEASURES = new LinkedHashMap<>();

  static {
    MEASURES.put("R", Totals::regret);
    MEASURES.put("V", Totals::violation);
    MEASURES.put("pen", Totals::penalized);
  }

  private Curves() {}

  static List<Figure> of(List<Result> results) {
    List<Figure> figures = new ArrayList<>();
    for (String figure : results.stream().map(r -> r.setting().figure()).distinct().toList()) {
      for (Map.Entry<String, ToDoubleFunction<Totals>> measure : MEASURES.entrySet()) {
        String key = figure + "-" + measure.getKey();
        Figure drawn = new Figure(key, "cclb, figure " + figure, "round", measure.getKey());
        for (Result result : results) {
          if (result.setting().figure().equals(figure)) {
            add(drawn, result, measure.getValue());
          }
        }
        figures.add(drawn);
      }
    }
    return figures;
  }

  private static void add(Figure figure, Result result, ToDoubleFunction<Totals> measure) {
    List<Integer> checkpoints = result.checkpoints();
    double[] x = checkpoints.stream().mapToDouble(t -> t).toArray();
    double[] y = checkpoints.stream().mapToDouble(t -> result.sample(t, measure).mean()).toArray();
    figure.curve(name(result.setting()), x, y);
  }

  private static String name(CclbSetting cclbSetting) {
    StringBuilder name = new StringBuilder(cclbSetting.policy().wire());
    name.append(" tau ").append(cclbSetting.tau()).append(" eps ").append(cclbSetting.eps());
    if (cclbSetting.effectAt() == EffectAt.TILDE) {
      name.append(" tilde");
    }
    if (cclbSetting.estimator() == Estimator.EXACT) {
      name.append(" exact");
    }
    if (!cclbSetting.instance().equals(Scm.BASE)) {
      name.append(" ").append(cclbSetting.instance());
    }
    return name.append(" T ").append(cclbSetting.horizon()).toString();
  }
}
