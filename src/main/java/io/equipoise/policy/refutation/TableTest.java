package io.equipoise.policy.refutation;

import io.equipoise.causal.Cpt;
import io.equipoise.event.AssumptionKind;
import io.equipoise.policy.Experience;

/**
 * Tests a given table P(m | parents): in each row the mixture of Krichevsky and Trofimov over all
 * distributions, divided by the row. Its ratio grows by log of
 *
 * <pre>(count of m + 1/2) / (observations + levels/2) / p(m | row)
 * </pre>
 *
 * <p>with each observation (docs/math/refutation.md#tables); the counts are those before it. Each
 * factor has an expectation of 1 where the row is right, whatever decides which row comes next.
 */
final class TableTest extends AssumptionTest {
  /** The least probability that is divided by; a larger denominator keeps the test valid. */
  private static final double LEAST = 1e-9;

  private final Observed child;
  private final double[] table;

  TableTest(Cpt cpt, Observed child, TestStrata parents) {
    super(AssumptionKind.TABLE, cpt.title(), parents, 1 + child.levels());
    this.child = child;
    this.table = cpt.table();
  }

  @Override
  boolean add(double[] numbers, int at, Experience experience) {
    int level = child.of(experience);
    if (level < 0) {
      return false;
    }
    int levels = child.levels();
    double count = 0;
    for (int i = 1; i <= levels; i++) {
      count += numbers[at + i];
    }
    double predicted = (numbers[at + 1 + level] + 0.5) / (count + 0.5 * levels);
    int row = at / (1 + levels);
    double given = Math.max(table[row * levels + level], LEAST);
    numbers[at] += StrictMath.log(predicted / given);
    numbers[at + 1 + level]++;
    return true;
  }

  @Override
  void describe(StringBuilder text) {
    text.append(' ').append(child.names());
    for (double p : table) {
      text.append(' ').append(Long.toHexString(Double.doubleToLongBits(p)));
    }
  }

  @Override
  String remedy() {
    return "correct distributions.cpts.%1$s or give it as counts; and make sure that rewards are not lost or delayed depending on %1$s"
        .formatted(child.name());
  }
}
