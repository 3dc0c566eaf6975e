package io.equipoise.policy.linear;

import io.equipoise.policy.features.FeaturePlaces;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Holds the observations that a sliding window may still have to take back, oldest first, in a ring
 * that doubles when it is full.
 *
 * <pre>
 * Bytes, big-endian: 0 observations (i32)   4 per observation: round (i64)  reward (f64)
 *   dim x feature (f64)
 * </pre>
 */
final class ObservationWindow {
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

  int byteLength() {
    return EMPTY_BYTES + size * bytesOfOne(dimension);
  }

  /** Returns the bytes of one observation. */
  static int bytesOfOne(int dimension) {
    return Long.BYTES * (2 + dimension);
  }

  void appendTo(ByteBuffer out) {
    out.putInt(size);
    for (int k = 0; k < size; k++) {
      out.putLong(round(k)).putDouble(reward(k));
      int at = place(k) * dimension;
      for (int i = 0; i < dimension; i++) {
        out.putDouble(features[at + i]);
      }
    }
  }

  static ObservationWindow readFrom(ByteBuffer in, int dimension) {
    int size = in.getInt();
    if (size < 0 || size > in.remaining() / bytesOfOne(dimension)) {
      throw new IllegalArgumentException(
          "window of " + size + " observations in " + in.remaining() + " bytes");
    }
    ObservationWindow window = new ObservationWindow(dimension);
    double[] x = new double[dimension];
    for (int k = 0; k < size; k++) {
      long round = in.getLong();
      double reward = in.getDouble();
      for (int i = 0; i < dimension; i++) {
        x[i] = in.getDouble();
      }
      window.add(round, reward, x);
    }
    return window;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof ObservationWindow window)
        || size != window.size
        || dimension != window.dimension) {
      return false;
    }
    ByteBuffer mine = ByteBuffer.allocate(byteLength());
    ByteBuffer others = ByteBuffer.allocate(byteLength());
    appendTo(mine);
    window.appendTo(others);
    return Arrays.equals(mine.array(), others.array());
  }

  @Override
  public int hashCode() {
    return size == 0 ? 0 : 31 * size + Long.hashCode(round(0));
  }
}
