package io.equipoise.policy.constraint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.constraint.DualPenalty.Cost;
import io.equipoise.policy.constraint.DualSchedule.ScheduleKind;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class DualPenaltyTest {
  private static final double RHO = 10;

  private static DualPenalty penalty(DualSchedule schedule, Cost cost, EffectLimit... limits) {
    return new DualPenalty(List.of(limits), RHO, schedule, cost);
  }

  private static TestProspects sized(double estimate, double high) {
    return TestProspects.of(new double[] {.5}, new EffectSize(estimate, 0, high));
  }

  @Test
  void thePhiFollowsTheExcessOverTheTightLimitAndIsCutAtNoughtAndRho() {
    DualPenalty fixed = penalty(DualSchedule.fixed(100), Cost.ESTIMATE, new EffectLimit(.2, .05));
    DualBlock duals = new DualBlock(1);
    assertArrayEquals(new double[] {0}, fixed.next(sized(.1, 1), duals, 0));
    duals.advance(fixed.next(sized(.5, 1), duals, 0));
    assertEquals(.5 - .2 + .05, duals.phi(0), 1e-15);
    for (int i = 0; i < 100; i++) {
      duals.advance(fixed.next(sized(1, 1), duals, 0));
    }
    assertEquals(RHO, duals.phi(0));
    assertEquals(101, duals.decisions());
  }

  @Test
  void theUpperEndIsChargedWhereThePolicyIsPessimistic() {
    DualPenalty pessimistic =
        penalty(DualSchedule.fixed(100), Cost.UPPER_END, new EffectLimit(.2, 0));
    assertArrayEquals(
        new double[] {.7 - .2}, pessimistic.next(sized(.1, .7), new DualBlock(1), 0), 1e-15);
  }

  @Test
  void everyConstraintHasItsOwnPhiAndTheChargesAddUp() {
    DualPenalty two =
        penalty(
            DualSchedule.fixed(100), Cost.ESTIMATE, new EffectLimit(.2, 0), new EffectLimit(.1, 0));
    TestProspects prospects =
        new TestProspects(
            new double[] {.5},
            new double[] {.6},
            new EffectSize[][] {{new EffectSize(.5, 0, 1), new EffectSize(.3, 0, 1)}});
    DualBlock duals = new DualBlock(2);
    duals.advance(new double[] {2, 3});
    assertEquals(2 * (.5 - .2) + 3 * (.3 - .1), two.charge(prospects, duals, 0), 1e-15);
    assertArrayEquals(new double[] {2.3, 3.2}, two.next(prospects, duals, 0), 1e-12);
  }

  @Test
  void theFourSchedulesStepAsTheySay() {
    assertEquals(10 / Math.sqrt(400), DualSchedule.fixed(400).step(7, RHO));
    assertEquals(10 / Math.sqrt(7), DualSchedule.of(ScheduleKind.ANYTIME).step(7, RHO));
    DualSchedule doubling = DualSchedule.of(ScheduleKind.DOUBLING);
    assertEquals(10.0, doubling.step(1, RHO));
    assertEquals(10 / Math.sqrt(8), doubling.step(5, RHO));
    assertEquals(10 / Math.sqrt(8), doubling.step(8, RHO));
    assertEquals(10 / Math.sqrt(16), doubling.step(9, RHO));
    DualSchedule capped = DualSchedule.of(ScheduleKind.CAPPED);
    assertEquals(.1, capped.step(1, RHO));
    assertEquals(.1, capped.step(10_000, RHO));
    assertEquals(.05, capped.step(40_000, RHO));
  }

  @Test
  void scheduleAndLimitsThatCannotBeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> DualSchedule.fixed(0));
    assertThrows(IllegalArgumentException.class, () -> new DualSchedule(ScheduleKind.ANYTIME, 5));
    assertThrows(IllegalArgumentException.class, () -> new EffectLimit(.2, .2));
    assertThrows(IllegalArgumentException.class, () -> new EffectLimit(0, 0));
    assertThrows(IllegalArgumentException.class, () -> new EffectLimit(Double.NaN, 0));
    assertThrows(IllegalArgumentException.class, () -> new EffectLimit(.2, -.1));
  }

  @Test
  void aBlockComesBackFromItsBytesAndCutBytesAreRefused() {
    DualBlock duals = new DualBlock(2);
    duals.advance(new double[] {1.25, 3});
    ByteBuffer bytes = StoredBytes.of(duals);
    assertEquals(0, bytes.remaining());
    assertEquals(duals, StoredBytes.read(new DualBlock(0), bytes.flip()));
    assertEquals(duals, duals.copy());
    ByteBuffer cut = ByteBuffer.wrap(duals.toBytes(), 0, bytes.capacity() - 1);
    assertThrows(IllegalArgumentException.class, () -> StoredBytes.read(new DualBlock(0), cut));
  }
}
