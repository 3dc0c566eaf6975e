package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredSpreadTest {
  @Test
  void ratiosAreTakenTurnByTurn() {
    MeasuredSpread ratios =
        MeasuredSpread.ofRatios(List.of(2.0, 9.0, 4.0), List.of(4.0, 3.0, 4.0), it -> it);
    assertEquals(
        new MeasuredSpread(1, .5, 3), ratios); // the ratio of the medians is 1, of the sums 1.36
  }

  @Test
  void theTextHasMedianAndRange() {
    assertEquals("1,235 (1,000 to 2,000)", new MeasuredSpread(1234.6, 1000, 2000).text(0));
    assertEquals("0.78 (0.70 to 0.84)", new MeasuredSpread(.78, .7, .84).text(2));
  }
}
