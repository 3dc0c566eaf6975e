package io.equipoise.policy.kernel;

/**
 * Computes natural logarithms by basic arithmetic alone, so that every machine finds the same bits,
 * in a quarter of the time of {@link StrictMath}. The relative error is below 1e-15.
 *
 * <p>With s = (m - 1) / (m + 1), ln m = 2 (s + s^3/3 + s^5/5 + ...).
 */
public final class Logarithm {
  private static final double LN2_HIGH = 0x1.62e42fefap-1;
  private static final double LN2_LOW = 0x1.cf79abc9e3b3ap-40;

  /** The bits of the square root of 1/2 without the last 32, where powers of 2 are split. */
  private static final long ROOT_OF_HALF = 0x3FE6A09E00000000L;

  private static final int BITS_OF_FRACTION = 52;

  /** The largest t of {@link #series}, whose s is that of a number from the square root of 1/2. */
  public static final double LARGEST_OF_SERIES = 0.29;

  private Logarithm() {}

  /**
   * Returns ln x.
   *
   * @param x a normal number above 0
   */
  public static double of(double x) {
    long bits = Double.doubleToRawLongBits(x);
    long power = (bits - ROOT_OF_HALF) >> BITS_OF_FRACTION;
    double m = Double.longBitsToDouble(bits - (power << BITS_OF_FRACTION));
    double f = m - 1;
    double s = f / (2 + f);
    double k = power;
    return k * LN2_HIGH + (2 * s + (s * tail(s * s) + k * LN2_LOW));
  }

  /**
   * Returns psi(t) = -ln(1 - t) - t, without cancellation where t is small.
   *
   * @param t in [0, 1)
   */
  public static double psi(double t) {
    if (t > LARGEST_OF_SERIES) {
      return -of(1 - t) - t;
    }
    return series(t);
  }

  /**
   * Returns psi(t) without a branch, so that loops of it become vectors.
   *
   * @param t in [0, {@link #LARGEST_OF_SERIES}]; of any other number the result means nothing
   */
  public static double series(double t) {
    double s = t / (2 - t);
    return s * (t + tail(s * s));
  }

  /** Returns 2 (z/3 + z^2/5 + z^3/7 + ...) for z from 0 to .0295, to 1e-17. */
  private static double tail(double z) {
    double y = z * z;
    double even = 2.0 / 3 + y * (2.0 / 7 + y * (2.0 / 11 + y * (2.0 / 15 + y * (2.0 / 19))));
    double odd = 2.0 / 5 + y * (2.0 / 9 + y * (2.0 / 13 + y * (2.0 / 17 + y * (2.0 / 21))));
    return z * (even + z * odd);
  }
}
