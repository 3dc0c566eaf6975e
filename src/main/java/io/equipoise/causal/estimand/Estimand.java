package io.equipoise.causal.estimand;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A formula over probabilities of observed variables: 1, P(a | b) or P(a | b, S=1), sums, products
 * and quotients of such, and in bound plans unknown factors.
 *
 * <p>Immutable, equal by value. Sub-formulas are shared, so a small graph in memory may be a large
 * tree in print: {@link #distinctNodes} counts the graph, {@link #treeSize} the tree. A sum binds
 * its variables; the same names may be free outside it. The factory methods simplify, and never
 * change a value where it is defined.
 */
public abstract sealed class Estimand permits One, Probability, Sum, Product, Quotient, Unknown {
  private final SortedSet<String> free;
  private final int hash;
  private final long treeSize;

  Estimand(Collection<String> free, int hash, long treeSize) {
    this.free = sorted(free);
    this.hash = hash;
    this.treeSize = treeSize;
  }

  public static Estimand one() {
    return One.INSTANCE;
  }

  /**
   * Returns P(of | given), among the selected rows only if {@code selected}; 1 if {@code of} is
   * empty. The two sets must be disjoint.
   */
  public static Estimand probability(
      Collection<String> of, Collection<String> given, boolean selected) {
    return of.isEmpty() ? one() : new Probability(of, given, selected);
  }

  /** Returns an unknown factor between 0 and 1. */
  public static Estimand unknown(String name, Collection<String> scope) {
    return new Unknown(name, scope);
  }

  /** Returns the product; nested products are flattened. */
  public static Estimand product(Collection<? extends Estimand> factors) {
    return Product.of(factors);
  }

  public Estimand times(Estimand other) {
    return Product.of(List.of(this, other));
  }

  /** Returns the sum over all values of {@code variables}. */
  public Estimand summed(Collection<String> variables) {
    return Summation.of(sorted(variables), this);
  }

  /** Returns this divided by {@code divisor}, with common factors canceled. */
  public Estimand over(Estimand divisor) {
    return Division.of(this, divisor);
  }

  /** Returns the variables that the value depends on, by name. */
  public SortedSet<String> free() {
    return free;
  }

  /** Returns the number of nodes of the formula as a tree. */
  public long treeSize() {
    return treeSize;
  }

  /** Returns the number of nodes in memory. */
  public int distinctNodes() {
    IdentityHashMap<Estimand, Boolean> seen = new IdentityHashMap<>();
    count(seen);
    return seen.size();
  }

  /** Returns every probability in the formula, in the order of first mention. */
  public List<Probability> probabilities() {
    IdentityHashMap<Estimand, Boolean> seen = new IdentityHashMap<>();
    Set<Probability> found = new LinkedHashSet<>();
    collect(seen, found);
    return List.copyOf(found);
  }

  /** Returns the direct sub-formulas. */
  public abstract List<Estimand> parts();

  /** Prints the formula with the variables in name order. */
  public String toText() {
    return EstimandPrinter.text(List.of()).print(this);
  }

  /** Prints with the variables in a given order, for example a graph's; others follow by name. */
  public String toText(List<String> order) {
    return EstimandPrinter.text(order).print(this);
  }

  public String toLatex(List<String> order) {
    return EstimandPrinter.latex(order).print(this);
  }

  /** Returns nested maps and lists for a JSON writer; see {@link EstimandJson}. */
  public Map<String, Object> toJson(List<String> order) {
    return EstimandJson.of(this, order);
  }

  @Override
  public final int hashCode() {
    return hash;
  }

  @Override
  public final boolean equals(Object other) {
    return this == other
        || (other instanceof Estimand that
            && hash == that.hash
            && treeSize == that.treeSize
            && getClass() == that.getClass()
            && isSame(that));
  }

  @Override
  public String toString() {
    return toText();
  }

  /** Compares the fields of the subclass; {@code that} has the same class. */
  abstract boolean isSame(Estimand that);

  static SortedSet<String> sorted(Collection<String> names) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(names));
  }

  private void collect(IdentityHashMap<Estimand, Boolean> seen, Set<Probability> found) {
    if (seen.put(this, true) == null) {
      if (this instanceof Probability probability) {
        found.add(probability);
      }
      parts().forEach(part -> part.collect(seen, found));
    }
  }

  private void count(IdentityHashMap<Estimand, Boolean> seen) {
    if (seen.put(this, true) == null) {
      parts().forEach(part -> part.count(seen));
    }
  }
}
