package io.equipoise.causal.estimand;

import java.util.List;

/** The constant 1. */
public final class One extends Estimand {
  static final One INSTANCE = new One();

  private One() {
    super(List.of(), 1, 1);
  }

  @Override
  public List<Estimand> parts() {
    return List.of();
  }

  @Override
  boolean isSame(Estimand that) {
    return true;
  }
}
