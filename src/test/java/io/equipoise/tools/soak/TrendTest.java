package io.equipoise.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class TrendTest {
  private static final int SECONDS = 5;

  /** Samples every five seconds, of ten new segments a second. */
  private static List<ResourceSample> samples(
      int count, LongUnaryOperator heap, LongUnaryOperator state) {
    List<ResourceSample> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = (long) SECONDS * i;
      samples.add(
          new ResourceSample(
              at, 10 * at, heap.applyAsLong(at), 0, 200, 365, state.applyAsLong(at), 50, 10));
    }
    return samples;
  }

  private static SoakPlan plan(int minutes) {
    return new SoakPlan(
        Duration.ofMinutes(minutes),
        100,
        10,
        Duration.ofSeconds(10),
        Duration.ofSeconds(SECONDS),
        Duration.ofSeconds(15),
        Retain.NONE,
        1);
  }

  @Test
  void aSlopeIsThatOfTheLineWhateverAFewSamplesAre() {
    List<ResourceSample> samples =
        samples(30, at -> at % 35 == 0 ? 900_000_000 : 1_000_000 * at, at -> 1);
    Trend trend = Trend.of(Quantity.HEAP, samples);
    assertEquals(1_000_000, trend.perSecond(), 1);
    assertEquals(145_000_000, trend.growth(), 150);
    assertFalse(trend.isFlat());
    assertTrue(trend.start() < trend.middle() && trend.middle() < trend.end(), trend.toString());
  }

  @Test
  void stubsOfNewSegmentsAreNoGrowthAndModelsAre() {
    long stubs = 10 * 100;
    long models = 10 * 20_000;
    List<ResourceSample> resting = samples(60, at -> 1, at -> 1_000_000 + stubs * at);
    assertTrue(Trend.of(Quantity.STATE, resting).isFlat());
    List<ResourceSample> kept = samples(60, at -> 1, at -> models * at);
    assertFalse(Trend.of(Quantity.STATE, kept).isFlat());
  }

  @Test
  void aFallIsFlat() {
    assertTrue(Trend.of(Quantity.HEAP, samples(9, at -> 300_000_000 - at, at -> 1)).isFlat());
  }

  @Test
  void tooFewSamplesAreNoTrend() {
    List<ResourceSample> few = samples(Trend.FEWEST - 1, at -> 1, at -> 1);
    assertThrows(IllegalArgumentException.class, () -> Trend.of(Quantity.FILES, few));
  }

  @Test
  void whatFillsUpInTheWarmUpIsNotHeldAgainstTheJob() {
    SoakPlan plan = plan(5);
    assertEquals(Duration.ofSeconds(60), plan.warmUp());
    LongUnaryOperator filling = at -> 1_000_000 * Math.min(at, 60);
    SoakResult result = new SoakResult(plan, samples(60, at -> 100_000_000, filling), 1);
    assertTrue(result.hasVerdict());
    assertTrue(result.isFlat(), result.lines().toString());
    assertEquals("FLAT", result.json().get("verdict"));
  }

  @Test
  void aLeakIsToldByItsLine() {
    LongUnaryOperator leak = at -> 100_000_000 + 500_000 * at;
    SoakResult result = new SoakResult(plan(5), samples(60, leak, at -> 1_000_000), 1);
    assertFalse(result.isFlat());
    assertEquals("GROWS", result.json().get("verdict"));
    List<String> growing = result.lines().stream().filter(line -> line.endsWith("GROWS")).toList();
    assertEquals(1, growing.size(), result.lines().toString());
    assertTrue(growing.get(0).startsWith("heap after GC, MB"), growing.get(0));
  }

  @Test
  void aLoadThatEndsInTheWarmUpIsNotChecked() {
    SoakResult result = new SoakResult(plan(1), samples(8, at -> 1, at -> 1), 1);
    assertFalse(result.hasVerdict());
    assertFalse(result.isFlat());
    assertTrue(result.lines().get(1).contains("increase --minutes"), result.lines().toString());
  }
}
