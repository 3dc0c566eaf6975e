package io.equipoise.causal.estimand;

import java.util.Collection;
import java.util.List;

/** A factor that no data tell, anything from 0 to 1; only plans of bounds have it. */
public final class Unknown extends Estimand {
  private final String name;

  Unknown(String name, Collection<String> scope) {
    super(scope, name.hashCode(), 1);
    this.name = name;
  }

  /** Returns what the factor would be, for example {@code Q[I1,Y]}. */
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
