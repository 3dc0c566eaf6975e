package io.equipoise.event;

/** Names the method that computed the interval of an audited effect. */
public enum AuditInterval {
  /** A weighted sum of rewards about this contrast alone, cut by the ellipsoid. */
  CONTRAST,
  /** The confidence ellipsoid of the model's coefficients. */
  ELLIPSOID,
  /** The joint confidence region of the cells of a comparison. */
  JOINT,
  /** Pairs of people who are alike but for the attribute. */
  PAIRS
}
