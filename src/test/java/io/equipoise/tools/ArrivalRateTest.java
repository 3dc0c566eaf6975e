package io.equipoise.tools;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ArrivalRateTest {
  private long now = 1_000_000;
  private final Clock clock = new Hand();

  @Test
  void peopleComeAtTheirRateFromTheFirstAskOn() {
    ArrivalRate arrivalRate = new ArrivalRate(40, clock);
    assertTrue(arrivalRate.isDue(0));
    assertFalse(arrivalRate.isDue(1));
    now += 24;
    assertFalse(arrivalRate.isDue(1));
    now += 1;
    assertTrue(arrivalRate.isDue(1));
    assertFalse(arrivalRate.isDue(2));
    now += 975;
    assertTrue(arrivalRate.isDue(40));
    assertFalse(arrivalRate.isDue(41));
  }

  @Test
  void aPauseIsMadeUpFor() {
    ArrivalRate arrivalRate = new ArrivalRate(10, clock);
    assertTrue(arrivalRate.isDue(0));
    now += 10_000;
    assertTrue(arrivalRate.isDue(100));
    assertFalse(arrivalRate.isDue(101));
  }

  @Test
  void withoutARateNobodyWaits() {
    assertTrue(new ArrivalRate(null, clock).isDue(1_000_000));
  }

  private final class Hand extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(now);
    }
  }
}
