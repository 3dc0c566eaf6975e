package io.equipoise.causal.estimand;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The sum of a formula over all joint values of some variables, which it binds. */
public final class Sum extends Estimand {
  private final SortedSet<String> bound;
  private final Estimand body;

  Sum(SortedSet<String> bound, Estimand body) {
    super(without(body.free(), bound), 31 * bound.hashCode() + body.hashCode(), size(body));
    this.bound = sorted(bound);
    this.body = body;
  }

  public SortedSet<String> bound() {
    return bound;
  }

  public Estimand body() {
    return body;
  }

  @Override
  public List<Estimand> parts() {
    return List.of(body);
  }

  @Override
  boolean isSame(Estimand that) {
    return that instanceof Sum other && bound.equals(other.bound) && body.equals(other.body);
  }

  static SortedSet<String> without(SortedSet<String> names, SortedSet<String> gone) {
    SortedSet<String> left = new TreeSet<>(names);
    left.removeAll(gone);
    return left;
  }

  private static long size(Estimand body) {
    return body.treeSize() == Long.MAX_VALUE ? Long.MAX_VALUE : 1 + body.treeSize();
  }
}
