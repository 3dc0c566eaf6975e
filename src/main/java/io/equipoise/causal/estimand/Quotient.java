package io.equipoise.causal.estimand;

import java.util.List;

/** One formula divided by another. If the divisor is 0, there is no value. */
public final class Quotient extends Estimand {
  private final Estimand numerator;
  private final Estimand divisor;

  Quotient(Estimand numerator, Estimand divisor) {
    super(
        Product.free(List.of(numerator, divisor)),
        37 * numerator.hashCode() + divisor.hashCode(),
        Product.size(List.of(numerator, divisor)));
    this.numerator = numerator;
    this.divisor = divisor;
  }

  public Estimand numerator() {
    return numerator;
  }

  public Estimand divisor() {
    return divisor;
  }

  @Override
  public List<Estimand> parts() {
    return List.of(numerator, divisor);
  }

  @Override
  boolean isSame(Estimand that) {
    return that instanceof Quotient other
        && numerator.equals(other.numerator)
        && divisor.equals(other.divisor);
  }
}
