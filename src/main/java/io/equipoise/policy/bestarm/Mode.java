package io.equipoise.policy.bestarm;

import io.equipoise.segmentspec.Word;

/** Selects which samples feed which estimate. */
public enum Mode implements Word {
  /**
   * Three types of pulls, as the paper's boxes print them: natural ones feed the reward, those with
   * S = s and with S = s' one fairness estimate each.
   */
  SEPARATE,
  /** All pulls are natural; each feeds the reward and the fairness estimate of its group. */
  NATURAL,
  /**
   * Pulls as in {@link #SEPARATE}, but each feeds every estimate that its group allows; the reward
   * is stratified by P(S), because forced pulls have not the natural mix of S.
   */
  POOLED;

  /** Returns how many types of pulls there are: all natural, or natural, S = s and S = s'. */
  public int types() {
    return this == NATURAL ? 1 : PullType.COUNT;
  }
}
