package io.equipoise.policy.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LogarithmTest {
  private static final MathContext DIGITS = new MathContext(60);

  @Test
  void logarithmsAreThoseOfTheStandardLibrary() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200_000; i++) {
      double x =
          i % 2 == 0 ? StrictMath.exp(1400 * (random.nextDouble() - .5)) : random.nextDouble(2);
      double expected = StrictMath.log(x);
      assertThat(Logarithm.of(x)).isCloseTo(expected, within(1e-15 * Math.abs(expected)));
    }
    assertThat(Logarithm.of(1)).isZero();
    assertThat(Logarithm.of(Double.MIN_NORMAL)).isCloseTo(-708.3964185322641, within(1e-12));
    assertThat(Logarithm.of(Double.MAX_VALUE)).isCloseTo(709.782712893384, within(1e-12));
    for (double x : new double[] {Math.sqrt(.5), Math.sqrt(2), .71, 1.42, 1 + 1e-15, 1 - 1e-15}) {
      for (double near : new double[] {Math.nextDown(x), x, Math.nextUp(x)}) {
        double expected = StrictMath.log(near);
        assertThat(Logarithm.of(near)).isCloseTo(expected, within(1e-15 * Math.abs(expected)));
      }
    }
  }

  /** Sums t^2/2 + t^3/3 + ... to 60 digits. */
  private static double psi(double t) {
    BigDecimal exact = new BigDecimal(t);
    BigDecimal power = exact;
    BigDecimal sum = BigDecimal.ZERO;
    for (int n = 2; n < 500; n++) {
      power = power.multiply(exact, DIGITS);
      sum = sum.add(power.divide(BigDecimal.valueOf(n), DIGITS), DIGITS);
    }
    return sum.doubleValue();
  }

  @Test
  void psiLosesNoDigits() {
    assertThat(Logarithm.psi(0)).isZero();
    double[] all = {1e-200, 1e-12, 9.9e-5, 1.1e-4, .01, .2, .2899999, .29, .2900001, .5, .9};
    for (double t : all) {
      double expected = psi(t);
      assertThat(Logarithm.psi(t)).as("t %s", t).isCloseTo(expected, within(4e-15 * expected));
    }
  }
}
