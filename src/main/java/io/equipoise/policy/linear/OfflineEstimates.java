package io.equipoise.policy.linear;

import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SpecFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the baselines of Huang and Wu 2023 take for E[R | do(a), c], from a log's counts n and means
 * m by arm and context (docs/math/causal-bounds.md#warm-starts):
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

  /** Rows of one stratum: how many, and the sum of their rewards. */
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
