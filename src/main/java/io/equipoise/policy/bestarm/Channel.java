package io.equipoise.policy.bestarm;

import org.jspecify.annotations.Nullable;

/**
 * Defines one clipped importance-sampling sum (Gao and Feng 2021, equations 3 and 4): whose samples
 * it takes, how it weights them, and the clip of each sampled arm.
 */
final class Channel {
  private static final int ANY = -2;

  final CsrModel model;
  private final int type;
  private final int group;
  private final double @Nullable [] factor;
  private final double[][] divergence;

  private Channel(
      CsrModel model, int type, int group, double @Nullable [] factor, double[][] divergence) {
    this.model = model;
    this.type = type;
    this.group = group;
    this.factor = factor;
    this.divergence = divergence;
  }

  /** Takes the samples of one type, whatever their group. */
  static Channel ofType(
      CsrModel model, PullType type, double @Nullable [] factor, double[][] divergence) {
    return new Channel(model, type.number(), ANY, factor, divergence);
  }

  /** Takes the samples of one group, whatever their type. */
  static Channel ofGroup(
      CsrModel model, int group, double @Nullable [] factor, double[][] divergence) {
    return new Channel(model, ANY, group, factor, divergence);
  }

  /** Takes all samples, those without a known group included. */
  static Channel ofAll(CsrModel model, double[][] divergence) {
    return new Channel(model, ANY, ANY, null, divergence);
  }

  boolean takes(int sampleType, int sampleGroup) {
    return (type == ANY || type == sampleType) && (group == ANY || group == sampleGroup);
  }

  /** Returns the weight w_kj of a sample of arm j for arm k. */
  double weight(int k, int j, int z, int v) {
    double odds = model.odds(k, j, z, v);
    return factor == null ? odds : odds * factor[z];
  }

  /** Returns what the odds are multiplied with in a cell. */
  double factor(int z) {
    return factor == null ? 1 : factor[z];
  }

  double divergence(int k, int j) {
    return divergence[k][j];
  }

  /** Returns 2 l Delta: log2(2/eps_l) is l. A weight above it, in absolute value, is clipped. */
  double clip(int k, int j, int l) {
    return clip(divergence[k][j], l);
  }

  static double clip(double divergence, int l) {
    return 2 * l * divergence;
  }

  /** Returns whether arm j's samples can say anything of arm k. */
  boolean reaches(int k, int j) {
    return divergence[k][j] < Double.POSITIVE_INFINITY;
  }
}
