package io.equipoise.policy.linear;

import java.util.List;

/**
 * Names what a linear policy takes for rewards before its first decision: the baselines LinUCB_CP
 * and LinUCB_Biased of Huang and Wu 2023. Confounded and selected as the log was, so no bound
 * stands behind it.
 *
 * <p>Part of the spec, not of the causal bounds that come and go on a topic: a clipped index can be
 * clipped no more, but what a regression has learned cannot be taken out of it again.
 *
 * @param rows all name the same variables, and no two the same arm and context
 * @param adjustFor variables that {@code linucb-biased} sums out, by the paper's equation 2
 */
public record WarmStart(List<WarmStartRow> rows, List<String> adjustFor) {
  /** Copies the lists. */
  public WarmStart {
    rows = List.copyOf(rows);
    adjustFor = List.copyOf(adjustFor);
  }
}
