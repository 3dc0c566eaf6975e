package io.equipoise.segmentspec;

/**
 * Bounds the work and memory that a spec requests before either is spent: texts come from a topic,
 * and a few kilobytes can name tables of any size. Products saturate, so that none of them
 * overflows.
 */
public final class WorkBudget {
  /** Maximum number of terms that compiling adds up, and one decision: a second or less. */
  public static final long MAX_STEPS = 1L << 26;

  /** Maximum numbers of one table, 32 MB. */
  public static final long MAX_NUMBERS = 1L << 22;

  private WorkBudget() {}

  /** Returns the product of numbers that are not negative, or the greatest long. */
  public static long product(long... factors) {
    long product = 1;
    for (long factor : factors) {
      if (factor == 0) {
        return 0;
      }
      product = product > Long.MAX_VALUE / factor ? Long.MAX_VALUE : product * factor;
    }
    return product;
  }

  /** Returns the sum of two numbers that are not negative, or the greatest long. */
  public static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }
}
