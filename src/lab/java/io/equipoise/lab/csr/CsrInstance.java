package io.equipoise.lab.csr;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.policy.bestarm.CsrDefinition;
import io.equipoise.policy.bestarm.CsrModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Pairs a model with the distribution of its reward, which an experiment does not know.
 *
 * @param bound E
 * @param rewardMean P(Y = 1 | S, z, v), by group, cell and level of V; 0 where the cell never
 *     occurs
 */
@SuppressWarnings("ArrayRecordComponent") // a table, never compared
public record CsrInstance(String name, double bound, CsrModel model, double[][][] rewardMean) {

  /** Computes the truth of a definition whose tables reach up to the reward. */
  public static CsrInstance of(
      String name, double bound, CsrDefinition definition, String rewarded) {
    KnownDistributions known = definition.known();
    List<String> cells = definition.cellVariables().stream().map(Variable::name).toList();
    Variable reward = known.variable(definition.reward());
    Variable intervened = known.variable(definition.intervened());
    CsrModel model = definition.compile();
    List<String> targets = new ArrayList<>(cells);
    targets.add(intervened.name());
    targets.add(reward.name());
    double[][][] mean = new double[2][model.cells()][model.levels()];
    for (int group = 0; group < 2; group++) {
      int level = known.variable(definition.sensitive()).indexOf(definition.groups().get(group));
      double[] joint =
          withoutPolicy(definition).conditional(targets, Map.of(definition.sensitive(), level));
      for (int place = 0; place < joint.length; place += reward.size()) {
        double[] rewards = Arrays.copyOfRange(joint, place, place + reward.size());
        double total = Arrays.stream(rewards).sum();
        int cell = place / reward.size();
        mean[group][cell / model.levels()][cell % model.levels()] =
            total > 0 ? rewards[reward.indexOf(rewarded)] / total : 0;
      }
    }
    return new CsrInstance(name, bound, model, mean);
  }

  /** Makes V uniform, so that every level occurs; P(Y | z, v) does not depend on the policy. */
  private static KnownDistributions withoutPolicy(CsrDefinition definition) {
    KnownDistributions known = definition.known();
    Variable intervened = known.variable(definition.intervened());
    double[] uniform = new double[intervened.size()];
    Arrays.fill(uniform, 1.0 / uniform.length);
    List<Cpt> tables = new ArrayList<>();
    tables.add(new Cpt(intervened, List.of(), uniform));
    for (Variable variable : known.variables()) {
      if (!variable.equals(intervened)) {
        known.cpt(variable.name()).ifPresent(tables::add);
      }
    }
    return KnownDistributions.of(known.variables(), tables);
  }

  /** Returns E_k[Y | S]. */
  public double mean(int arm, int group) {
    double mean = 0;
    for (int z = 0; z < model.cells(); z++) {
      for (int v = 0; v < model.levels(); v++) {
        mean += model.law(group, z) * model.probability(arm, z, v) * rewardMean[group][z][v];
      }
    }
    return mean;
  }

  /** Returns mu_k. */
  public double mean(int arm) {
    return model.share(CsrModel.S) * mean(arm, CsrModel.S)
        + model.share(CsrModel.S_PRIME) * mean(arm, CsrModel.S_PRIME);
  }

  /**
   * Returns zeta_k^{s,s'} = -zeta_k^{s',s}. S is a root, so intervening on S equals conditioning on
   * S.
   */
  public double effect(int arm) {
    return mean(arm, CsrModel.S) - mean(arm, CsrModel.S_PRIME);
  }

  public boolean isFair(int arm) {
    return Math.abs(effect(arm)) < bound;
  }

  /** Returns the best fair arm, -1 if there is none. */
  public int best() {
    int best = -1;
    for (int arm = 0; arm < model.arms(); arm++) {
      if (isFair(arm) && (best < 0 || mean(arm) > mean(best))) {
        best = arm;
      }
    }
    return best;
  }
}
