package io.equipoise.lab;

import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.lab.report.Sample;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The trials of an experiment. A policy without a constraint ran once a trial and is judged at
 * every tau; F-UCB ran once a trial and tau.
 */
final class Outcome {
  /** Which policy ran, and at which place of the taus if that matters. */
  record Run(PolicyName policy, int tauPlace) {
    static Run of(PolicyName policy, int tauPlace) {
      return new Run(policy, policy == TabularPolicyName.F_UCB ? tauPlace : 0);
    }
  }

  private final double[] taus;
  private final Map<Run, List<Trial>> trials = new LinkedHashMap<>();

  Outcome(double[] taus) {
    this.taus = taus.clone();
  }

  /** Adds the trials of one run, in their order. */
  void add(Run run, List<Trial> ofRun) {
    trials.put(run, List.copyOf(ofRun));
  }

  double[] taus() {
    return taus.clone();
  }

  /** Returns the place of a tau, or -1 if it was not run. */
  int place(double tau) {
    for (int place = 0; place < taus.length; place++) {
      if (taus[place] == tau) {
        return place;
      }
    }
    return -1;
  }

  Map<Run, List<Trial>> trials() {
    return trials;
  }

  Sample regret(PolicyName policy, int tauPlace, int t) {
    return sample(policy, tauPlace, trial -> trial.regret()[t - 1]);
  }

  Sample unfair(PolicyName policy, int tauPlace) {
    return sample(policy, tauPlace, trial -> trial.unfair()[tauPlace]);
  }

  Sample twin(PolicyName policy, int tauPlace) {
    return sample(policy, tauPlace, trial -> trial.twin()[tauPlace]);
  }

  /**
   * Returns one policy's twin decisions minus another's, trial by trial: both met the same people.
   */
  Sample twinDifference(PolicyName one, PolicyName other, int tauPlace) {
    List<Trial> first = ofRun(one, tauPlace);
    List<Trial> second = ofRun(other, tauPlace);
    List<Double> differences = new ArrayList<>();
    for (int trial = 0; trial < first.size(); trial++) {
      differences.add(
          (double) first.get(trial).twin()[tauPlace] - second.get(trial).twin()[tauPlace]);
    }
    return Sample.of(differences);
  }

  private Sample sample(PolicyName policy, int tauPlace, ToDoubleFunction<Trial> metric) {
    return Sample.of(ofRun(policy, tauPlace).stream().map(metric::applyAsDouble).toList());
  }

  private List<Trial> ofRun(PolicyName policy, int tauPlace) {
    List<Trial> ofRun = trials.get(Run.of(policy, tauPlace));
    if (ofRun == null) {
      throw new IllegalArgumentException(policy + " did not run at place " + tauPlace);
    }
    return ofRun;
  }

  /** Returns one row a policy and tau, also for policies that ignore tau; regret after a round. */
  List<Map<String, @Nullable Object>> rows(List<PolicyName> policies, int rounds) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (PolicyName policy : policies) {
      for (int place = 0; place < taus.length; place++) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("policy", policy.wire());
        row.put("tau", taus[place]);
        ReplicationReport.put(row, "regret", regret(policy, place, rounds));
        ReplicationReport.put(row, "unfair", unfair(policy, place));
        ReplicationReport.put(row, "twin", twin(policy, place));
        rows.add(row);
      }
    }
    return rows;
  }
}
