package io.equipoise.causal.estimand;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Simplifies sums: P(a, b | c) over b is P(a | c), nested sums merge, and factors without a bound
 * variable move out of the sum. A sum over a variable that occurs nowhere stays: it counts levels.
 */
final class Summation {
  private Summation() {}

  static Estimand of(SortedSet<String> bound, Estimand body) {
    if (bound.isEmpty()) {
      return body;
    }
    if (body instanceof Probability probability) {
      return overProbability(bound, probability);
    }
    if (body instanceof Sum inner && Collections.disjoint(bound, inner.bound())) {
      SortedSet<String> all = new TreeSet<>(bound);
      all.addAll(inner.bound());
      return of(all, inner.body());
    }
    if (body instanceof Product) {
      return overProduct(bound, body.parts());
    }
    if (body instanceof Quotient quotient
        && Collections.disjoint(bound, quotient.divisor().free())) {
      return of(bound, quotient.numerator()).over(quotient.divisor());
    }
    return new Sum(bound, body);
  }

  private static Estimand overProbability(SortedSet<String> bound, Probability probability) {
    SortedSet<String> gone = new TreeSet<>(bound);
    gone.retainAll(probability.of());
    SortedSet<String> left = Sum.without(bound, gone);
    Estimand rest =
        gone.isEmpty()
            ? probability
            : Estimand.probability(
                Sum.without(probability.of(), gone), probability.given(), probability.isSelected());
    return left.isEmpty() ? rest : new Sum(left, rest);
  }

  /** Pushes variables that only one factor depends on into that factor, repeatedly. */
  private static Estimand overProduct(SortedSet<String> bound, List<Estimand> parts) {
    List<Estimand> factors = new ArrayList<>(parts);
    SortedSet<String> left = new TreeSet<>(bound);
    boolean isDone = false;
    while (!isDone) {
      isDone = true;
      for (int i = 0; i < factors.size(); i++) {
        SortedSet<String> own = ownVariables(left, factors, i);
        Estimand summed = own.isEmpty() ? factors.get(i) : of(own, factors.get(i));
        if (!own.isEmpty() && !isSum(summed, own)) {
          left.removeAll(own);
          factors.set(i, summed);
          isDone = false;
        }
      }
    }
    List<Estimand> inside = new ArrayList<>();
    List<Estimand> outside = new ArrayList<>();
    for (Estimand factor : factors) {
      (Collections.disjoint(factor.free(), left) ? outside : inside).add(factor);
    }
    if (left.isEmpty()) {
      return Estimand.product(factors);
    }
    Estimand body = Estimand.product(inside);
    outside.add(inside.size() == 1 ? of(left, body) : new Sum(left, body));
    return Estimand.product(outside);
  }

  /** Returns whether summing only adds a sum sign, which is then written once for all. */
  private static boolean isSum(Estimand summed, SortedSet<String> over) {
    return summed instanceof Sum sum && sum.bound().containsAll(over);
  }

  private static SortedSet<String> ownVariables(
      SortedSet<String> bound, List<Estimand> factors, int at) {
    SortedSet<String> own = new TreeSet<>(bound);
    own.retainAll(factors.get(at).free());
    for (int i = 0; i < factors.size(); i++) {
      if (i != at) {
        own.removeAll(factors.get(i).free());
      }
    }
    return own;
  }
}
