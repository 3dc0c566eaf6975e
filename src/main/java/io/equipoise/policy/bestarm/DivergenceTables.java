package io.equipoise.policy.bestarm;

/**
 * The divergences that clip and allocate: for the reward, and for the fairness estimates from
 * samples with S = s and with S = s'. First index target, second sampled arm.
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
        : new DivergenceTables(divergences.reward(), divergences.backward(), divergences.forward());
  }
}
