package io.equipoise.lab.cclb;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.lab.cclb.Totals.Measure;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.simulation.Resources;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reference results: means and standard deviations per run, and the totals of single
 * seeds.
 */
final class CclbReference {
  /** T of the single seeds' totals. */
  static final int TOTALS_ROUNDS = 1000;

  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final List<Entry> entries = new ArrayList<>();
  private final List<Single> singles = new ArrayList<>();

  /** A measure's mean and standard deviation per run. */
  record Moments(double mean, double sd) {}

  /** Reference means after t rounds; a measure has its mean and standard deviation. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
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
      @JsonProperty("R") double[] regret,
      @JsonProperty("V") double[] violation,
      @JsonProperty("nv") double[] violations,
      @JsonProperty("pen") double[] penalized) {
    /** Returns T of the runs: the base model's runs have several t. */
    int horizon(int ofBase) {
      return figure.equals(Figures.COVERAGE) ? t : ofBase;
    }

    private boolean isOf(CclbSetting setting) {
      return policy.equals(setting.policy().wire())
          && estimator.equals(setting.estimator().name())
          && instance.equals(setting.instance())
          && tau == setting.tau()
          && eps == setting.eps()
          && effectAt.equals(setting.effectAt().name());
    }

    Moments of(Measure measure) {
      double[] pair =
          switch (measure) {
            case REGRET -> regret;
            case VIOLATION -> violation;
            case VIOLATIONS -> violations;
            case PENALIZED -> penalized;
            default -> throw new IllegalArgumentException("no reference of " + measure);
          };
      return new Moments(pair[0], pair[1]);
    }
  }

  /** Holds the totals of one seed. */
  record Single(
      String policy,
      long seed,
      @JsonProperty("R") double regret,
      @JsonProperty("V") double violation,
      @JsonProperty("nv") double violations,
      @JsonProperty("pen") double penalized,
      @JsonProperty("phi") double phi) {}

  CclbReference() {
    JsonNode root = Resources.json("/lab/cclb-expected.json");
    root.get("rows").forEach(row -> entries.add(JSON.convertValue(row, Entry.class)));
    root.get("totals")
        .get("rows")
        .forEach(row -> singles.add(JSON.convertValue(row, Single.class)));
  }

  /**
   * Returns all entries of a setting, by ascending t. A setting without a figure has the entries of
   * the first figure that knows it.
   */
  List<Entry> of(CclbSetting setting) {
    List<Entry> any = entries.stream().filter(entry -> entry.isOf(setting)).toList();
    boolean hasFigure = !setting.figure().equals(CclbSetting.NO_FIGURE);
    String figure = hasFigure || any.isEmpty() ? setting.figure() : any.get(0).figure();
    return any.stream().filter(entry -> entry.figure().equals(figure)).toList();
  }

  @Nullable Single single(LogisticPolicyName policy, long seed) {
    return singles.stream()
        .filter(single -> single.policy().equals(policy.wire()) && single.seed() == seed)
        .findFirst()
        .orElse(null);
  }
}
