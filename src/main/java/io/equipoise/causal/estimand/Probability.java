package io.equipoise.causal.estimand;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** P(of | given), or P(of | given, S=1) for selected rows. */
public final class Probability extends Estimand {
  private final SortedSet<String> of;
  private final SortedSet<String> given;
  private final boolean isSelected;

  Probability(Collection<String> of, Collection<String> given, boolean isSelected) {
    super(both(of, given), Objects.hash(sorted(of), sorted(given), isSelected), 1);
    this.of = sorted(of);
    this.given = sorted(given);
    this.isSelected = isSelected;
    if (free().size() < this.of.size() + this.given.size()) {
      throw new IllegalArgumentException("P(" + this.of + " | " + this.given + ") overlaps");
    }
  }

  public SortedSet<String> of() {
    return of;
  }

  public SortedSet<String> given() {
    return given;
  }

  /** Returns whether the probability is over selected rows. */
  public boolean isSelected() {
    return isSelected;
  }

  @Override
  public List<Estimand> parts() {
    return List.of();
  }

  @Override
  boolean isSame(Estimand that) {
    return that instanceof Probability other
        && isSelected == other.isSelected
        && of.equals(other.of)
        && given.equals(other.given);
  }

  private static SortedSet<String> both(Collection<String> of, Collection<String> given) {
    SortedSet<String> both = new TreeSet<>(of);
    both.addAll(given);
    return both;
  }
}
