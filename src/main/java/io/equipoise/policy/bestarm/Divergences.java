package io.equipoise.policy.bestarm;

import org.jspecify.annotations.Nullable;

/**
 * Measures how far the samples of one arm are from another arm's, as the clips and the allocation
 * need it.
 *
 * <p>First index: the target arm k; second: the sampled arm j. Natural logarithms. Infinite where
 * arm j never yields what arm k may: its samples say nothing of k. Gao and Feng 2021, section 3.2;
 * M is 1 + ln(1 + D_f1) of Sen et al. 2017.
 */
public record Divergences(CsrModel model) {
  /** Returns M: ln E_k[exp r_kj], at least 1, and 1 on the diagonal. */
  public double[][] reward() {
    return matrix((k, j) -> divergence(k, j, model.share(0), model.share(1), null));
  }

  /** Returns M within one group: ln E_{k,s}[exp r_kj]. */
  public double[][] reward(int group) {
    return matrix((k, j) -> divergence(k, j, 1 - group, group, null));
  }

  /** Returns D^{s,s'}: ln of the sum over both groups of E_{k,.}[exp |r_kj (P_s/P_s' - 1)|]. */
  public double[][] forward() {
    return matrix((k, j) -> divergence(k, j, 1, 1, model.forward));
  }

  /** Returns D^{s',s}: ln of the sum over both groups of E_{k,.}[exp |r_kj (P_s'/P_s - 1)|]. */
  public double[][] backward() {
    return matrix((k, j) -> divergence(k, j, 1, 1, model.backward));
  }

  private interface DivergenceEntry {
    double at(int target, int sampled);
  }

  private double[][] matrix(DivergenceEntry entry) {
    double[][] matrix = new double[model.arms()][model.arms()];
    for (int k = 0; k < matrix.length; k++) {
      for (int j = 0; j < matrix.length; j++) {
        matrix[k][j] = entry.at(k, j);
      }
    }
    return matrix;
  }

  /** Sums exponentials relative to the greatest: weights of thousands are usual. */
  private double divergence(int k, int j, double ofS, double ofPrime, double @Nullable [] factor) {
    double greatest = 0;
    double sum = 0;
    for (int z = 0; z < model.cells(); z++) {
      double cell = ofS * model.law(CsrModel.S, z) + ofPrime * model.law(CsrModel.S_PRIME, z);
      for (int v = 0; v < model.levels(); v++) {
        double mass = cell * model.probability(k, z, v);
        if (mass == 0) {
          continue;
        }
        double odds = model.odds(k, j, z, v);
        if (Double.isInfinite(odds)) {
          return odds;
        }
        double exponent = factor == null ? odds : Math.abs(odds * factor[z]);
        if (exponent > greatest) {
          sum *= StrictMath.exp(greatest - exponent);
          greatest = exponent;
        }
        sum += mass * StrictMath.exp(exponent - greatest);
      }
    }
    return greatest + StrictMath.log(sum);
  }

  /**
   * Holds the divergences that set clips and allocations: for the reward, and for the fairness
   * estimates from samples with S = s and with S = s'. First index target, second sampled arm.
   */
  @SuppressWarnings("ArrayRecordComponent") // tables, compared by nobody
  record DivergenceTables(double[][] reward, double[][] ofS, double[][] ofPrime) {
    /** zeta^{s',s} comes from samples with S = s, so D^{s',s} goes with them (spec erratum 2). */
    static DivergenceTables of(CsrModel model, FairnessEstimate fairness) {
      Divergences divergences = new Divergences(model);
      return fairness == FairnessEstimate.DIRECT
          ? new DivergenceTables(
              divergences.reward(),
              divergences.reward(CsrModel.S),
              divergences.reward(CsrModel.S_PRIME))
          : new DivergenceTables(
              divergences.reward(), divergences.backward(), divergences.forward());
    }
  }
}
