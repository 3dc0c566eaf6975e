package io.equipoise.lab.cclb;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.policy.logistic.LogisticPolicyName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reference results: means and standard deviations a run, and the totals of single seeds. */
final class CclbReference {
  /** T of the single seeds' totals. */
  static final int TOTALS_ROUNDS = 1000;

  private final List<Entry> entries = new ArrayList<>();
  private final List<Single> singles = new ArrayList<>();

  CclbReference() {
    JsonNode root = Scm.read("cclb-expected.json");
    for (JsonNode row : root.get("rows")) {
      entries.add(entry(row));
    }
    for (JsonNode row : root.get("totals").get("rows")) {
      singles.add(single(row));
    }
  }

  /** A measure's mean and standard deviation a run. */
  record Measure(double mean, double sd) {}

  /**
   * Reference means after t rounds.
   *
   * @param measures R, V, nv and pen
   */
  record Entry(
      String figure,
      String policy,
      String estimator,
      String instance,
      double tau,
      double eps,
      String effectAt,
      int t,
      int reps,
      Map<String, Measure> measures) {
    /** Returns T of the runs: the base model's runs were read at several t. */
    int horizon(int ofBase) {
      return figure.equals(Figures.COVERAGE) ? t : ofBase;
    }

    boolean isOf(CclbSetting cclbSetting) {
      return policy.equals(cclbSetting.policy().wire())
          && estimator.equals(cclbSetting.estimator().name())
          && instance.equals(cclbSetting.instance())
          && tau == cclbSetting.tau()
          && eps == cclbSetting.eps()
          && effectAt.equals(cclbSetting.effectAt().name());
    }

    Measure measure(String name) {
      Measure measure = measures.get(name);
      if (measure == null) {
        throw new IllegalArgumentException("no reference of " + name);
      }
      return measure;
    }
  }

  /** The totals of one seed. */
  record Single(
      String policy, long seed, double regret, double violation, int nv, double pen, double phi) {}

  private static Entry entry(JsonNode row) {
    Map<String, Measure> measures = new TreeMap<>();
    for (String name : List.of("R", "V", "nv", "pen")) {
      JsonNode pair = row.get(name);
      measures.put(name, new Measure(pair.get(0).doubleValue(), pair.get(1).doubleValue()));
    }
    return new Entry(
        row.get("figure").textValue(),
        row.get("policy").textValue(),
        row.get("estimator").textValue(),
        row.get("instance").textValue(),
        row.get("tau").doubleValue(),
        row.get("eps").doubleValue(),
        row.get("effectAt").textValue(),
        row.get("t").intValue(),
        row.get("reps").intValue(),
        measures);
  }

  private static Single single(JsonNode row) {
    return new Single(
        row.get("policy").textValue(),
        row.get("seed").longValue(),
        row.get("R").doubleValue(),
        row.get("V").doubleValue(),
        row.get("nv").intValue(),
        row.get("pen").doubleValue(),
        row.get("phi").doubleValue());
  }

  /** Returns all that is known of a setting, by ascending t; a setting's figure first. */
  List<Entry> of(CclbSetting cclbSetting) {
    List<Entry> same =
        entries.stream()
            .filter(entry -> entry.isOf(cclbSetting) && entry.figure().equals(cclbSetting.figure()))
            .toList();
    List<Entry> any = entries.stream().filter(entry -> entry.isOf(cclbSetting)).toList();
    return same.isEmpty() && cclbSetting.figure().equals(CclbSetting.NO_FIGURE)
        ? ofOneFigure(any)
        : same;
  }

  private static List<Entry> ofOneFigure(List<Entry> entries) {
    return entries.stream()
        .filter(entry -> entry.figure().equals(entries.get(0).figure()))
        .toList();
  }

  @Nullable Single single(LogisticPolicyName policy, long seed) {
    return singles.stream()
        .filter(single -> single.policy().equals(policy.wire()) && single.seed() == seed)
        .findFirst()
        .orElse(null);
  }
}
