package io.equipoise.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.layout.StoredBytes;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class OverlapAlarmTest {
  private static void decide(OverlapAlarm alarm, int decisions, boolean hasNoOverlap) {
    for (int i = 0; i < decisions; i++) {
      alarm.decided(hasNoOverlap);
    }
  }

  @Test
  void theAlarmWaitsForAThousandDecisions() {
    OverlapAlarm alarm = new OverlapAlarm();
    decide(alarm, 999, true);
    assertFalse(alarm.rings());
    alarm.decided(true);
    assertTrue(alarm.rings());
    assertEquals(1, alarm.share());
  }

  @Test
  void itRingsAboveATenthOfTheLastThousandAndForgetsWhatIsOlder() {
    OverlapAlarm alarm = new OverlapAlarm();
    decide(alarm, 100, true);
    decide(alarm, 900, false);
    assertEquals(.1, alarm.share());
    assertFalse(alarm.rings());
    decide(alarm, 99, false);
    assertEquals(.001, alarm.share());
    decide(alarm, 101, true);
    assertEquals(.101, alarm.share());
    assertTrue(alarm.rings());
  }

  @Test
  void alarmAndSumsComeBackFromTheirBytes() {
    OverlapAlarm alarm = new OverlapAlarm();
    decide(alarm, 1500, true);
    decide(alarm, 333, false);
    ByteBuffer bytes = StoredBytes.of(alarm);
    assertEquals(alarm, StoredBytes.read(new OverlapAlarm(), bytes.flip()));
    assertEquals(alarm, alarm.copy());

    ViolationSums sums = new ViolationSums();
    sums.decided(.1, .3);
    sums.decided(-.2, .05);
    sums.decided(Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY);
    assertEquals(3, sums.decisions());
    assertEquals(.1, sums.stageWise());
    assertEquals(.35, sums.stageWiseUpper(), 1e-15);
    assertEquals(-.1, sums.signed(), 1e-15);
    ByteBuffer ofSums = StoredBytes.of(sums);
    assertEquals(sums, StoredBytes.read(new ViolationSums(), ofSums.flip()));
    assertEquals(sums, sums.copy());
  }
}
