package io.equipoise.tools;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class PaceTest {
  private long now = 1_000_000;
  private final Clock clock = new Hand();

  @Test
  void peopleComeAtTheirRateFromTheFirstAskOn() {
    Pace pace = new Pace(40, clock);
    assertTrue(pace.hasCome(0));
    assertFalse(pace.hasCome(1));
    now += 24;
    assertFalse(pace.hasCome(1));
    now += 1;
    assertTrue(pace.hasCome(1));
    assertFalse(pace.hasCome(2));
    now += 975;
    assertTrue(pace.hasCome(40));
    assertFalse(pace.hasCome(41));
  }

  @Test
  void aPauseIsMadeUpFor() {
    Pace pace = new Pace(10, clock);
    assertTrue(pace.hasCome(0));
    now += 10_000;
    assertTrue(pace.hasCome(100));
    assertFalse(pace.hasCome(101));
  }

  @Test
  void withoutARateNobodyWaits() {
    assertTrue(new Pace(null, clock).hasCome(1_000_000));
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
