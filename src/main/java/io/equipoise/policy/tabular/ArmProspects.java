package io.equipoise.policy.tabular;

import io.equipoise.policy.constraint.CandidateScores;
import io.equipoise.policy.constraint.EffectSize;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the cells say of the arms for one context, under one constraint: the largest effect of all
 * sensitive attributes. The ends of an effect are found when first asked for. Belongs to one call.
 */
final class ArmProspects implements CandidateScores {
  private final double[] mean;
  private final double[] index;
  private final @Nullable EffectSize[] effects;
  private final IntFunction<EffectSize> sizes;
  private final IntToDoubleFunction estimates;

  private ArmProspects(
      double[] mean, double[] index, IntFunction<EffectSize> sizes, IntToDoubleFunction estimates) {
    this.mean = mean;
    this.index = index;
    this.sizes = sizes;
    this.estimates = estimates;
    effects = new EffectSize[mean.length];
  }

  static ArmProspects of(
      TabularModel model, List<EffectBound> bounds, double[] mean, double[] index) {
    return new ArmProspects(
        mean, index, arm -> size(model, bounds, arm), arm -> model.estimatedSize(bounds, arm));
  }

  /** Returns the size of an arm's largest effect. */
  static EffectSize size(TabularModel model, List<EffectBound> bounds, int arm) {
    EffectSize largest = EffectSize.NONE;
    for (EffectBound bound : bounds) {
      largest = largest.orLarger(model.size(bound, arm));
    }
    return largest;
  }

  /** Returns an arm alone, of which only the effect is known. */
  static ArmProspects of(EffectSize effect) {
    return new ArmProspects(new double[1], new double[1], arm -> effect, arm -> effect.estimate());
  }

  @Override
  public int candidates() {
    return mean.length;
  }

  @Override
  public int constraints() {
    return 1;
  }

  @Override
  public double mean(int candidate) {
    return mean[candidate];
  }

  @Override
  public double optimistic(int candidate) {
    return index[candidate];
  }

  @Override
  public EffectSize effect(int candidate, int constraint) {
    EffectSize known = effects[candidate];
    if (known == null) {
      known = sizes.apply(candidate);
      effects[candidate] = known;
    }
    return known;
  }

  @Override
  public double estimate(int candidate, int constraint) {
    return estimates.applyAsDouble(candidate);
  }
}
