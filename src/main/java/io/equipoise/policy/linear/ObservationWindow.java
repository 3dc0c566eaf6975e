package io.equipoise.policy.linear;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import io.equipoise.policy.features.FeaturePlaces;

/**
 * Holds the observations that a sliding window may still have to take back, oldest first, in a ring
 * that doubles when it is full.
 *
 * <pre>
 * Bytes, big-endian: 0 observations (i32)   4 per observation: round (i64)  reward (f64)
 *   dim x feature (f64)
 * </pre>
 */
final class ObservationWindow extends Stored {
  static final int EMPTY_BYTES = Integer.BYTES;
  private static final int SMALLEST = 4;

  private final int dimension;
  private long[] rounds = new long[0];
  private double[] rewards = new double[0];
  private double[] features = new double[0];
  private int first;
  private int size;

  ObservationWindow(int dimension) {
    this.dimension = dimension;
  }

  int size() {
    return size;
  }

  /** Returns the round of the k-th oldest. */
  long round(int k) {
    return rounds[place(k)];
  }

  double reward(int k) {
    return rewards[place(k)];
  }

  /** Copies the features of the k-th oldest. */
  void features(int k, double[] out) {
    System.arraycopy(features, place(k) * dimension, out, 0, dimension);
  }

  private int place(int k) {
    return (first + k) % rounds.length;
  }

  void add(long round, double reward, double[] x) {
    if (size == rounds.length) {
      resize(Math.max(SMALLEST, 2 * size));
    }
    size++;
    int place = place(size - 1);
    rounds[place] = round;
    rewards[place] = reward;
    System.arraycopy(x, 0, features, place * dimension, dimension);
  }

  void removeOldest() {
    first = place(1);
    size--;
  }

  private void resize(int capacity) {
    long[] newRounds = new long[capacity];
    double[] newRewards = new double[capacity];
    double[] newFeatures = new double[Math.multiplyExact(capacity, dimension)];
    for (int k = 0; k < size; k++) {
      int place = place(k);
      newRounds[k] = rounds[place];
      newRewards[k] = rewards[place];
      System.arraycopy(features, place * dimension, newFeatures, k * dimension, dimension);
    }
    rounds = newRounds;
    rewards = newRewards;
    features = newFeatures;
    first = 0;
  }

  /** Returns the same observations with more features, which were all 0. */
  ObservationWindow spread(FeaturePlaces to) {
    ObservationWindow wide = new ObservationWindow(to.among());
    double[] x = new double[dimension];
    for (int k = 0; k < size; k++) {
      features(k, x);
      wide.add(round(k), reward(k), to.spread(x));
    }
    return wide;
  }

  ObservationWindow copy() {
    ObservationWindow copy = new ObservationWindow(dimension);
    copy.size = size;
    copy.first = first;
    copy.rounds = rounds.clone();
    copy.rewards = rewards.clone();
    copy.features = features.clone();
    return copy;
  }

  static int bytesOfOne(int dimension) {
    return Long.BYTES * (2 + dimension);
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    int count = bytes.count(size, bytesOfOne(dimension));
    if (bytes.isReading()) {
      resize(count);
      size = count;
    }
    for (int k = 0; k < count; k++) {
      int place = place(k);
      rounds[place] = bytes.i64(rounds[place]);
      rewards[place] = bytes.f64(rewards[place]);
      bytes.f64s(features, place * dimension, (place + 1) * dimension);
    }
  }
}
