package io.equipoise.policy.bestarm;

import java.util.Arrays;

/** Sums one channel's samples: how many of each arm, and the sum of rewards by (arm, place). */
final class Rewards {
  private final long[] n;
  private final int levels;
  private int[] arm = new int[64];
  private int[] place = new int[64];
  private double[] sum = new double[64];
  private int size;

  Rewards(int arms, int levels) {
    n = new long[arms];
    this.levels = levels;
  }

  /** Adds what was seen at a place; all of one arm come together. */
  void add(int sampled, int at, long count, double reward) {
    n[sampled] += count;
    if (reward == 0) {
      return;
    }
    if (size == arm.length) {
      arm = Arrays.copyOf(arm, 2 * size);
      place = Arrays.copyOf(place, 2 * size);
      sum = Arrays.copyOf(sum, 2 * size);
    }
    arm[size] = sampled;
    place[size] = at;
    sum[size++] = reward;
  }

  /** Equations 3 and 4: a clipped sample adds nothing but still counts in Z. */
  void estimate(Channel channel, int k, int l, Ipw into) {
    double normalizer = 0;
    for (int j = 0; j < n.length; j++) {
      if (n[j] > 0 && channel.reaches(k, j)) {
        normalizer += n[j] / channel.divergence(k, j);
      }
    }
    double weighted = 0;
    double kept = 0;
    double cut = 0;
    int next = 0;
    while (next < size) {
      int j = arm[next];
      double part = 0;
      double divergence = channel.divergence(k, j);
      double clip = channel.clip(k, j, l);
      for (; next < size && arm[next] == j; next++) {
        if (!channel.reaches(k, j)) {
          continue;
        }
        double weight = channel.weight(k, j, place[next] / levels, place[next] % levels);
        double mass = Math.abs(sum[next] * weight) / divergence;
        if (Math.abs(weight) <= clip) {
          part += sum[next] * weight;
          kept += mass;
        } else {
          cut += mass;
        }
      }
      weighted += part / divergence;
    }
    into.put(k, weighted, normalizer, kept, cut);
  }
}
