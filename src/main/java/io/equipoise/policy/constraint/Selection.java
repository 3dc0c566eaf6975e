package io.equipoise.policy.constraint;

/**
 * Records what a rule selected.
 *
 * @param candidate its index
 * @param score what the rule compared; for a fallback the negative of its excess
 * @param allowed how many candidates the rule allowed; -1 if it allows all by design
 */
public record Selection(int candidate, double score, int allowed) {
  /** Returns whether nothing was allowed, so that the candidate is a fallback. */
  public boolean isFallback() {
    return allowed == 0;
  }
}
