package io.equipoise.fairness;

/** What the causal graph says of the interval of an effect. */
public enum EffectIdentification {
  /** The interval holds the effect itself. */
  IDENTIFIED,
  /** The interval is the union over values that are not known, of which one is the person's. */
  BOUNDED,
  /** The data say nothing of the effect: its interval is the whole range. */
  NOT_IDENTIFIED
}
