package io.equipoise.console.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RingTest {

  /** Compares with a map that keeps everything, over jumps, gaps and late buckets. */
  @Test
  void itKeepsTheSumsOfTheLatestBuckets() {
    Random random = new Random(1);
    Ring ring = new Ring();
    Map<Long, Double> sums = new HashMap<>();
    long newest = 1_000;
    ring.add(newest, 0);
    for (int step = 1; step <= 5_000; step++) {
      long bucket = newest - random.nextInt(2 * TimeAxis.BUCKETS);
      if (random.nextInt(4) == 0) {
        bucket = newest + random.nextInt(random.nextInt(20) == 0 ? 300 : 3);
      }
      boolean isForgotten = bucket <= newest - TimeAxis.BUCKETS;
      newest = Math.max(newest, bucket);
      ring.add(bucket, step);
      sums.merge(bucket, isForgotten ? 0.0 : step, Double::sum);
      long first = newest - TimeAxis.BUCKETS + 1;
      double total = 0;
      for (long kept = first; kept <= newest; kept++) {
        assertEquals(sums.getOrDefault(kept, 0.0), ring.at(kept));
        total += ring.at(kept);
      }
      assertEquals(total, ring.total(newest));
      assertEquals(0, ring.at(first - 1));
      assertEquals(0, ring.at(newest + 1));
    }
  }
}
