package io.equipoise.fairness;

/** What follows a sensitive attribute into the counterfactual world. */
public enum EffectKind {
  /** Mediators move with the attribute (Huang et al. 2022, eq. 9). */
  TOTAL,
  /** Observed mediators are held. */
  DIRECT
}
