package io.equipoise.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.simulation.SplitMix;
import org.junit.jupiter.api.Test;

class GroupMonitorTest {
  private final SplitMix random = new SplitMix(11);
  private final GroupMonitor monitor = new GroupMonitor(2, .02, .05, 1e6);
  private long seq;

  private void play(int rows, double one, double other) {
    for (int row = 0; row < rows; row++) {
      int group = random.nextDouble() < .5 ? 0 : 1;
      monitor.add(group, random.nextDouble() < (group == 0 ? one : other) ? 1 : 0, ++seq);
      if (monitor.total().rows() % GroupMonitor.ROWS_PER_LOOK == 0) {
        monitor.look();
      }
    }
  }

  private void checkChange(long alarms, long since) {
    assertEquals(alarms, monitor.changeAlarms());
    assertEquals(since, monitor.changeSince(), 300.);
  }

  @Test
  void aGapThatLastsIsOneChange() {
    play(10_000, .5, .5);
    assertEquals(0, monitor.changeAlarms());
    play(30_000, .5, .3);
    checkChange(1, 10_000);
  }

  @Test
  void aGapThatGrowsAgainOrReturnsIsAnotherChange() {
    play(10_000, .5, .5);
    play(20_000, .5, .3);
    play(20_000, .5, .1);
    checkChange(2, 30_000);
    play(20_000, .5, .5);
    checkChange(3, 50_000);
  }

  @Test
  void aGapFromTheFirstRowOnIsOneChange() {
    play(30_000, .7, .5);
    checkChange(1, 1);
  }
}
