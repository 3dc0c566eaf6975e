package io.equipoise.segment.state;

import io.equipoise.policy.LevelMap;
import io.equipoise.segmentspec.Aggregate;
import java.util.Arrays;

/**
 * Aggregates the rewards of one decision as they arrive. Immutable. Correct for negative values:
 * the extremes start from the first reward, not from zero.
 *
 * @param count rewards so far, at least 1
 * @param sum their sum, in the order of arrival
 * @param min the smallest
 * @param max the greatest
 * @param lastTime the latest event time among them, ms
 * @param last the reward of that time; of two at the same time the later arrival
 * @param mediators observed level by mediator, -1 if none was observed; do not modify
 */
@SuppressWarnings("ArrayRecordComponent") // equals below knows arrays
public record RewardAggregate(
    int count, double sum, double min, double max, long lastTime, double last, int[] mediators) {

  /** Starts with one reward. */
  public static RewardAggregate first(double reward, long time, int[] mediators) {
    return new RewardAggregate(1, reward, reward, reward, time, reward, mediators);
  }

  /** Returns the aggregate with one more reward and its mediators. */
  public RewardAggregate plus(double reward, long time, int[] observed) {
    boolean isLast = time >= lastTime;
    return new RewardAggregate(
        count + 1,
        sum + reward,
        Math.min(min, reward),
        Math.max(max, reward),
        isLast ? time : lastTime,
        isLast ? reward : last,
        merged(observed));
  }

  /** Returns the aggregate with translated indices of the mediators' levels. */
  RewardAggregate translated(LevelMap levels) {
    return new RewardAggregate(count, sum, min, max, lastTime, last, levels.mediators(mediators));
  }

  /** Returns whether a reward observed a mediator at another level than those before it. */
  public boolean contradicts(int[] observed) {
    for (int i = 0; i < mediators.length; i++) {
      if (mediators[i] >= 0 && observed[i] >= 0 && mediators[i] != observed[i]) {
        return true;
      }
    }
    return false;
  }

  /** Returns the reward that the model learns. */
  public double value(Aggregate aggregate) {
    return switch (aggregate) {
      case FIRST -> throw new IllegalStateException("FIRST settles at once, it has no aggregate");
      case SUM -> sum;
      case MEAN -> sum / count;
      case MIN -> min;
      case MAX -> max;
      case LAST -> last;
    };
  }

  private int[] merged(int[] observed) {
    int[] merged = mediators.clone();
    for (int i = 0; i < merged.length; i++) {
      if (merged[i] < 0) {
        merged[i] = observed[i];
      }
    }
    return merged;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RewardAggregate that
        && count == that.count
        && Double.compare(sum, that.sum) == 0
        && Double.compare(min, that.min) == 0
        && Double.compare(max, that.max) == 0
        && lastTime == that.lastTime
        && Double.compare(last, that.last) == 0
        && Arrays.equals(mediators, that.mediators);
  }

  @Override
  public int hashCode() {
    return 31 * count + Double.hashCode(sum);
  }
}
