package io.equipoise.fairness;

/** Names what the causal graph implies for the interval of an effect. */
public enum EffectIdentification {
  /** The interval is that of the effect itself. */
  IDENTIFIED,
  /** The interval is the union over unknown values, one of which is the person's. */
  BOUNDED,
  /** The data contain no information on the effect; its interval is the full range. */
  NOT_IDENTIFIED
}
