package io.equipoise.policy.bestarm;

import io.equipoise.segmentspec.PolicyName;

/** Lists the searches by their names in specs, JSON and on every wire. */
public enum Algorithm implements PolicyName {
  /** Gao and Feng 2021, Algorithm 1: estimates from the samples of one phase. */
  CSR_V1("csr-v1", false, false),
  /** Algorithm 2: estimates from all samples so far. */
  CSR_V2("csr-v2", true, false),
  /** Algorithm 4: half of the budget on fairness, then half on reward, each phase for itself. */
  TS_V1("ts-v1", false, true),
  /** Algorithm 5: as {@link #TS_V1} with all samples so far. */
  TS_V2("ts-v2", true, true);

  private final String wire;

  /** True if a phase's estimates use the samples of the phases before. */
  final boolean isCumulative;

  private final boolean isTwoStage;

  Algorithm(String wire, boolean isCumulative, boolean isTwoStage) {
    this.wire = wire;
    this.isCumulative = isCumulative;
    this.isTwoStage = isTwoStage;
  }

  @Override
  public String wire() {
    return wire;
  }

  @Override
  public boolean isConstrained() {
    return true;
  }

  /** Returns whether fairness and reward are searched one after the other. */
  public boolean isTwoStage() {
    return isTwoStage;
  }
}
