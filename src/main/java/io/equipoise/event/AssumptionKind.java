package io.equipoise.event;

/** Names the kind of an assumption that rewards can refute. */
public enum AssumptionKind {
  TABLE,
  /** That the reward does not depend on a variable given its cell. */
  INDEPENDENCE,
  /** The declared range of mean rewards. */
  RANGE,
  /** The declared scale of rewards. */
  SCALE,
  /** That the mean reward of a cell does not change. */
  STABILITY,
  /** The assumed norm of the model's coefficients. */
  NORM,
  /** That one vector of coefficients explains all rewards of a model. */
  MODEL
}
