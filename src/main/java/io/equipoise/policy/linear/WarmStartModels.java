package io.equipoise.policy.linear;

import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.Profile;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds the regressions that arms start with: empty ones, or such that have taken offline evidence
 * for rewards (docs/math/causal-bounds.md#warm-starts):
 *
 * <pre>
 * A_a = lambda I + sum_c n(a, c) x x',   b_a = sum_c n(a, c) estimate(a, c) x
 * </pre>
 *
 * <p>Immutable: what is handed out is a copy.
 */
final class WarmStartModels {
  private static final String PLACE = "policy.warm-start";

  private final RidgeModel model;
  private final @Nullable RidgeRegression[] arms;
  private final @Nullable RidgeRegression shared;

  /** True if any evidence was learned. */
  final boolean isWarm;

  private WarmStartModels(
      boolean isWarm,
      RidgeModel model,
      @Nullable RidgeRegression[] arms,
      @Nullable RidgeRegression shared) {
    this.isWarm = isWarm;
    this.model = model;
    this.arms = arms;
    this.shared = shared;
  }

  /**
   * Learns a spec's evidence, if it has any. Adds a fault if a row names an arm that the spec
   * lacks, if an arm was never tried where the estimates need it, or if the evidence exceeds the
   * ridge beyond double precision.
   *
   * @return null if there are faults, also such as were found before
   */
  static @Nullable WarmStartModels of(
      SegmentSpec spec, RidgeModel model, FeatureEncoder encoder, List<SpecFault> faults) {
    WarmStart start = LinearSpec.of(spec).warmStart();
    RidgeRegression[] arms = new RidgeRegression[spec.arms().size()];
    if (start == null) {
      return faults.isEmpty() ? new WarmStartModels(false, model, arms, null) : null;
    }
    boolean isShared = LinearSpec.of(spec).isShared();
    RidgeRegression all = isShared ? model.newArm() : null;
    double[] estimates =
        refuseUnknownArms(spec, start, faults)
            ? new double[start.rows().size()]
            : OfflineEstimates.of(spec.policy().name(), start, faults);
    FeatureVector x = new FeatureVector(model.dimension());
    double[] features = new double[model.dimension()];
    for (int row = 0; row < estimates.length; row++) {
      WarmStartRow given = start.rows().get(row);
      int arm = spec.arms().indexOf(given.arm());
      if (arm < 0) {
        continue;
      }
      encoder.encode(person(spec, given), Profile.ofArm(spec.arms().get(arm)), features);
      x.set(features);
      RidgeRegression ridge = all != null ? all : arms[arm] != null ? arms[arm] : model.newArm();
      arms[arm] = ridge;
      if (!model.suppose(ridge, x, estimates[row], given.n())) {
        faults.add(
            new SpecFault(
                PLACE + "[" + row + "].n",
                String.valueOf(given.n()),
                "fewer rows: " + InputCheck.SATURATED.meaning()));
      }
    }
    if (!faults.isEmpty()) {
      return null;
    }
    RidgeWorkspace workspace = new RidgeWorkspace(model.dimension());
    for (RidgeRegression ridge : isShared ? new RidgeRegression[] {all} : arms) {
      if (ridge != null) {
        RidgeForgetting.refresh(ridge, workspace);
      }
    }
    return new WarmStartModels(true, model, arms, all);
  }

  /** Returns whether there is any; then the evidence by arm is unknown. */
  private static boolean refuseUnknownArms(
      SegmentSpec spec, WarmStart start, List<SpecFault> faults) {
    boolean isAny = false;
    for (int row = 0; row < start.rows().size(); row++) {
      String arm = start.rows().get(row).arm();
      if (spec.arms().indexOf(arm) < 0) {
        faults.add(new SpecFault(PLACE + "[" + row + "].arm", arm, "an arm of the spec"));
        isAny = true;
      }
    }
    return isAny;
  }

  private static Profile person(SegmentSpec spec, WarmStartRow row) {
    List<SpecVariable> features = spec.variables().features();
    int[] levels = new int[features.size()];
    int numbers = 0;
    for (int place = 0; place < levels.length; place++) {
      SpecVariable variable = features.get(place);
      String level = row.context().get(variable.name());
      levels[place] = level == null ? 0 : variable.indexOf(level);
      numbers += variable.isNumeric() ? 1 : 0;
    }
    return new Profile(levels, new double[numbers]);
  }

  /** Returns what the one regression of all arms starts with. */
  RidgeRegression ofAll() {
    return shared == null ? model.newArm() : shared.copy();
  }

  /**
   * Returns what an arm's regression starts with.
   *
   * @param arm its place in the catalog; -1 for one of a request's own
   */
  RidgeRegression of(int arm) {
    RidgeRegression warm = arm < 0 ? null : arms[arm];
    return warm == null ? model.newArm() : warm.copy();
  }

  /**
   * Computes what the baselines of Huang and Wu 2023 take for E[R | do(a), c], from a log's counts
   * n and means m by arm and context (docs/math/causal-bounds.md#warm-starts):
   *
   * <pre>
   * linucb-cp       m(a, c), that is E[R | a, c, S=1]
   * linucb-biased   sum_c n(a, c) m(a, c) / sum_c n(a, c), that is E[R | a, S=1]
   *   adjusted      sum_z P(z | S=1) E[R | a, z, S=1], equation 2
   * </pre>
   *
   * <p>So one table serves both: nothing but counts and means of the log's own cells is asked for.
   */
  record OfflineEstimates(WarmStart start, List<SpecFault> faults) {
    /** Most arms and levels without evidence that are reported. */
    private static final int MOST_FAULTS = 100;

    /**
     * Returns the estimate of each row, in their order; adds to the faults the arms that were never
     * tried at a level that is summed out, whose estimates mean nothing then.
     */
    static double[] of(PolicyName policy, WarmStart start, List<SpecFault> faults) {
      OfflineEstimates estimates = new OfflineEstimates(start, faults);
      return policy == LinearPolicyName.LINUCB_CP ? estimates.own() : estimates.biased();
    }

    private double[] own() {
      return start.rows().stream().mapToDouble(WarmStartRow::mean).toArray();
    }

    /** Counts the rows of one stratum, with the sum of their rewards. */
    private static final class Stratum {
      private double n;
      private double sum;

      void add(WarmStartRow row) {
        n += row.n();
        sum += row.n() * row.mean();
      }
    }

    private double[] biased() {
      Map<List<String>, Stratum> all = new TreeMap<>(OfflineEstimates::compare);
      Map<String, Map<List<String>, Stratum>> byArm = new TreeMap<>();
      double total = 0;
      for (WarmStartRow row : start.rows()) {
        List<String> z = start.adjustFor().stream().map(it -> row.context().get(it)).toList();
        all.computeIfAbsent(z, it -> new Stratum()).add(row);
        byArm
            .computeIfAbsent(row.arm(), it -> new HashMap<>())
            .computeIfAbsent(z, it -> new Stratum())
            .add(row);
        total += row.n();
      }
      Map<String, Double> estimates = new HashMap<>();
      int unsupported = 0;
      for (Map.Entry<String, Map<List<String>, Stratum>> arm : byArm.entrySet()) {
        double estimate = 0;
        for (Map.Entry<List<String>, Stratum> z : all.entrySet()) {
          Stratum own = arm.getValue().get(z.getKey());
          if (own != null) {
            estimate += z.getValue().n / total * (own.sum / own.n);
          } else if (unsupported++ < MOST_FAULTS) {
            faults.add(unsupported(arm.getKey(), z.getKey()));
          } else {
            return new double[start.rows().size()];
          }
        }
        estimates.put(arm.getKey(), estimate);
      }
      return start.rows().stream().mapToDouble(row -> estimates.get(row.arm())).toArray();
    }

    private static int compare(List<String> one, List<String> other) {
      for (int i = 0; i < one.size(); i++) {
        int compared = one.get(i).compareTo(other.get(i));
        if (compared != 0) {
          return compared;
        }
      }
      return 0;
    }

    private SpecFault unsupported(String arm, List<String> levels) {
      List<String> named = new ArrayList<>();
      for (int i = 0; i < levels.size(); i++) {
        named.add(start.adjustFor().get(i) + "=" + levels.get(i));
      }
      return new SpecFault(
          "policy.adjust-for",
          "no evidence of arm " + arm + " at " + named,
          "variables at all of whose levels every arm was tried, or none");
    }
  }
}
