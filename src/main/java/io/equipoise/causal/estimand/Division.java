package io.equipoise.causal.estimand;

import java.util.ArrayList;
import java.util.List;

/**
 * Simplifies quotients: equal factors cancel, P(a, b | c) / P(b | c) is P(a | b, c), and a quotient
 * of quotients is one quotient.
 */
final class Division {
  private Division() {}

  static Estimand of(Estimand numerator, Estimand divisor) {
    if (numerator instanceof Quotient inner) {
      return of(inner.numerator(), inner.divisor().times(divisor));
    }
    if (divisor instanceof Quotient inner) {
      return of(numerator.times(inner.divisor()), inner.numerator());
    }
    List<Estimand> above = new ArrayList<>(Product.factorsOf(numerator));
    List<Estimand> below = new ArrayList<>(Product.factorsOf(divisor));
    below.removeIf(above::remove);
    below.removeIf(factor -> factor instanceof Probability p && conditions(above, p));
    below.removeIf(above::remove);
    Estimand top = Estimand.product(above);
    return below.isEmpty() ? top : new Quotient(top, Estimand.product(below));
  }

  /** Divides the first factor that is a joint distribution with {@code p} by it. */
  private static boolean conditions(List<Estimand> above, Probability p) {
    for (int i = 0; i < above.size(); i++) {
      if (above.get(i) instanceof Probability joint
          && joint.isSelected() == p.isSelected()
          && joint.given().equals(p.given())
          && joint.of().size() > p.of().size()
          && joint.of().containsAll(p.of())) {
        List<String> given = new ArrayList<>(p.given());
        given.addAll(p.of());
        above.set(i, Estimand.probability(Sum.without(joint.of(), p.of()), given, p.isSelected()));
        return true;
      }
    }
    return false;
  }
}
