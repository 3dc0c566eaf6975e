package io.equipoise.causal.estimand;

import java.util.Collection;
import java.util.List;

/** A factor between 0 and 1 that no data determine; only plans of bounds use it. */
public final class Unknown extends Estimand {
  private final String name;

  Unknown(String name, Collection<String> scope) {
    super(scope, name.hashCode(), 1);
    this.name = name;
  }

  /** Returns the name of the factor, for example {@code Q[I1,Y]}. */
  public String name() {
    return name;
  }

  @Override
  public List<Estimand> parts() {
    return List.of();
  }

  @Override
  boolean isSame(Estimand that) {
    return that instanceof Unknown other && name.equals(other.name) && free().equals(other.free());
  }
}
