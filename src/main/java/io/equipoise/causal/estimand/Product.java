package io.equipoise.causal.estimand;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The product of at least two formulas, none of them a product or 1. */
public final class Product extends Estimand {
  private final List<Estimand> factors;

  private Product(List<Estimand> factors) {
    super(free(factors), factors.hashCode(), size(factors));
    this.factors = List.copyOf(factors);
  }

  static Estimand of(Collection<? extends Estimand> factors) {
    List<Estimand> flat = new ArrayList<>();
    for (Estimand factor : factors) {
      flat.addAll(factorsOf(factor));
    }
    return flat.isEmpty() ? one() : flat.size() == 1 ? flat.get(0) : new Product(flat);
  }

  /** Returns the factors of a formula: none for 1, itself if it is no product. */
  static List<Estimand> factorsOf(Estimand estimand) {
    return estimand instanceof One
        ? List.of()
        : estimand instanceof Product product ? product.factors : List.of(estimand);
  }

  @Override
  public List<Estimand> parts() {
    return factors;
  }

  @Override
  boolean isSame(Estimand that) {
    return that instanceof Product other && factors.equals(other.factors);
  }

  static long size(List<Estimand> parts) {
    long size = 1;
    for (Estimand part : parts) {
      size = part.treeSize() > Long.MAX_VALUE - size ? Long.MAX_VALUE : size + part.treeSize();
    }
    return size;
  }

  static SortedSet<String> free(List<Estimand> parts) {
    SortedSet<String> free = new TreeSet<>();
    parts.forEach(part -> free.addAll(part.free()));
    return free;
  }
}
