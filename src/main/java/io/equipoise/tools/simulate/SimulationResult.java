package io.equipoise.tools.simulate;

import io.equipoise.cli.report.Sample;
import io.equipoise.event.EffectUnit;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.FairnessSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.tools.simulate.Simulation.GroupKey;
import io.equipoise.tools.simulate.SimulationRun.Pair;
import io.equipoise.tools.simulate.SimulationRun.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes the runs of one spec.
 *
 * @param label names the spec among those that are compared
 * @param warnings of {@code check} about the spec
 * @param bounds the causal bounds in a sentence; null if the spec has none
 * @param runs in the order of their seeds, at least one
 */
public record SimulationResult(
    String label,
    SegmentSpec spec,
    List<String> warnings,
    @Nullable String bounds,
    List<GroupKey> groups,
    List<SimulationRun> runs) {
  public SimulationResult {
    warnings = List.copyOf(warnings);
    groups = List.copyOf(groups);
    runs = List.copyOf(runs);
  }

  /** Returns a sum at the end of each run. */
  public Sample total(ToDoubleFunction<Point> sum) {
    return Sample.of(runs, run -> sum.applyAsDouble(run.last()));
  }

  /** Returns a sum divided by the number of decisions. */
  public Sample share(ToDoubleFunction<Point> sum) {
    return total(point -> sum.applyAsDouble(point) / point.decisions());
  }

  /** Returns the number of the first decision that was certified as a whole. */
  public Spread firstCertified() {
    return Spread.of(runs.stream().map(SimulationRun::firstCertified).toList());
  }

  /** Returns the first certificate of an arm for an attribute. */
  public Spread firstCertificate(Pair pair) {
    return Spread.of(
        runs.stream().map(it -> it.firstCertificates().getOrDefault(pair, 0)).toList());
  }

  /** Returns the certified decisions of all runs whose true effect exceeds tau. */
  int falseCertificates() {
    return runs.stream().mapToInt(SimulationRun::falseCertificates).sum();
  }

  /** Returns the attributes: those of the spec, then joint ones that a run certified. */
  public List<String> attributes() {
    List<String> names = new ArrayList<>();
    groups.stream().map(GroupKey::attribute).distinct().forEach(names::add);
    TreeSet<String> certified = new TreeSet<>();
    runs.forEach(
        run -> run.firstCertificates().keySet().forEach(it -> certified.add(it.attribute())));
    names.forEach(certified::remove);
    names.addAll(certified);
    return names;
  }

  /** Returns the number of points of the curves. */
  public int points() {
    return runs.get(0).points().size();
  }

  /** Returns the mean of a sum at each point. */
  public double[] curve(ToDoubleFunction<Point> sum) {
    double[] curve = new double[points()];
    for (int point = 0; point < curve.length; point++) {
      for (SimulationRun run : runs) {
        curve[point] += sum.applyAsDouble(run.points().get(point)) / runs.size();
      }
    }
    return curve;
  }

  /**
   * Returns the ratio of two sums within the decisions between a point and the one before, all runs
   * together; NaN where the lower sum is 0.
   */
  public double[] windowed(ToDoubleFunction<Point> upper, ToDoubleFunction<Point> lower) {
    double[] above = curve(upper);
    double[] below = curve(lower);
    double[] ratio = new double[above.length];
    for (int point = 0; point < ratio.length; point++) {
      double before = point == 0 ? 0 : above[point - 1];
      double beforeBelow = point == 0 ? 0 : below[point - 1];
      double decisions = below[point] - beforeBelow;
      ratio[point] = decisions == 0 ? Double.NaN : (above[point] - before) / decisions;
    }
    return ratio;
  }

  /** Returns the mean reward of a group over whole runs, all runs together; NaN without people. */
  public double groupReward(int group) {
    double reward = 0;
    long decisions = 0;
    for (SimulationRun run : runs) {
      reward += run.last().groups().get(group).reward();
      decisions += run.last().groups().get(group).decisions();
    }
    return decisions == 0 ? Double.NaN : reward / decisions;
  }

  /** Returns the share of an arm's decisions over all runs. */
  public double armShare(int arm) {
    double share = 0;
    for (SimulationRun run : runs) {
      share += (double) run.armDecisions().get(arm) / run.last().decisions() / runs.size();
    }
    return share;
  }

  /** Returns the result as JSON: summary, arms, groups, curve, runs. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("label", label);
    json.put("name", spec.name());
    json.put("policy", spec.policy().name().wire());
    json.put("hash", spec.hash());
    FairnessSpec fairness = spec.fairness();
    if (fairness.unit() == EffectUnit.REWARD) {
      json.put("tau", fairness.tau());
      if (!fairness.kinds().isEmpty()) {
        json.put("tauByKind", fairness.kinds());
      }
    } else {
      json.put("oddsRatio", StrictMath.exp(fairness.tau()));
    }
    json.put("causalBounds", bounds);
    json.put("firstCertified", firstCertified());
    json.put("certifiedShare", share(Point::certified));
    json.put("fallbackShare", share(Point::fallback));
    json.put("unfairDecisions", total(Point::unfair));
    json.put("falseCertificates", falseCertificates());
    json.put("regret", total(Point::regret));
    json.put("regretOfBest", total(Point::regretOfBest));
    json.put("meanReward", share(Point::reward));
    json.put("learned", Sample.of(runs, SimulationRun::learned));
    json.put("arms", arms());
    json.put("groups", groupRows());
    json.put("curve", curveRows());
    json.put("runs", runs.stream().map(SimulationResult::runRow).toList());
    return json;
  }

  private List<Map<String, Object>> arms() {
    List<Map<String, Object>> rows = new ArrayList<>();
    List<Arm> arms = spec.arms().list();
    for (int arm = 0; arm < arms.size(); arm++) {
      for (String attribute : attributes()) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("arm", arms.get(arm).id());
        row.put("attribute", attribute);
        row.put("share", armShare(arm));
        row.put("firstCertificate", firstCertificate(new Pair(arms.get(arm).id(), attribute)));
        rows.add(row);
      }
    }
    return rows;
  }

  private List<Map<String, Object>> groupRows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int group = 0; group < groups.size(); group++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("attribute", groups.get(group).attribute());
      row.put("level", groups.get(group).level());
      row.put("meanReward", numberOrNull(groupReward(group)));
      rows.add(row);
    }
    return rows;
  }

  private List<Map<String, Object>> curveRows() {
    double[] decisions = curve(Point::decisions);
    double[] regret = curve(Point::regret);
    double[] unfair = curve(Point::unfair);
    double[] certified = windowed(Point::certified, Point::decisions);
    double[] fallback = windowed(Point::fallback, Point::decisions);
    double[] reward = windowed(Point::reward, Point::decisions);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int point = 0; point < decisions.length; point++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("decisions", Math.round(decisions[point]));
      row.put("regret", regret[point]);
      row.put("unfairDecisions", unfair[point]);
      row.put("certifiedShare", certified[point]);
      row.put("fallbackShare", fallback[point]);
      row.put("meanReward", reward[point]);
      List<@Nullable Double> means = new ArrayList<>();
      for (int group = 0; group < groups.size(); group++) {
        means.add(numberOrNull(groupCurve(group)[point]));
      }
      row.put("groupRewards", means);
      rows.add(row);
    }
    return rows;
  }

  /** Returns a group's mean reward between each point and the one before; NaN without people. */
  public double[] groupCurve(int group) {
    return windowed(
        point -> point.groups().get(group).reward(),
        point -> point.groups().get(group).decisions());
  }

  private static @Nullable Double numberOrNull(double value) {
    return Double.isNaN(value) ? null : value;
  }

  private static Map<String, Object> runRow(SimulationRun run) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("seed", run.seed());
    row.put("firstCertified", run.firstCertified() == 0 ? null : run.firstCertified());
    row.put("certified", run.last().certified());
    row.put("fallback", run.last().fallback());
    row.put("unfair", run.last().unfair());
    row.put("falseCertificates", run.falseCertificates());
    row.put("refutation", run.refutation());
    row.put("regret", run.last().regret());
    row.put("regretOfBest", run.last().regretOfBest());
    row.put("reward", run.last().reward());
    row.put("learned", run.learned());
    row.put("armDecisions", run.armDecisions());
    return row;
  }
}
