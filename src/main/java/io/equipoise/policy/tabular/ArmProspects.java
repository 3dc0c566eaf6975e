package io.equipoise.policy.tabular;

import io.equipoise.fairness.AuditEffect;
import io.equipoise.policy.constraint.CandidateScores;
import io.equipoise.policy.constraint.EffectSize;
import java.util.List;

/**
 * What the cells say of the arms for one context, under one constraint: the largest effect of all
 * sensitive attributes.
 *
 * @param mean by arm
 * @param index by arm
 * @param effects by arm
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record ArmProspects(double[] mean, double[] index, EffectSize[] effects)
    implements CandidateScores {
  static ArmProspects of(
      TabularModel model, List<EffectBound> bounds, double[] mean, double[] index) {
    EffectSize[] effects = new EffectSize[mean.length];
    for (int arm = 0; arm < effects.length; arm++) {
      effects[arm] = size(model, bounds, arm);
    }
    return new ArmProspects(mean, index, effects);
  }

  /** Returns the size of an arm's largest effect. */
  static EffectSize size(TabularModel model, List<EffectBound> bounds, int arm) {
    EffectSize largest = EffectSize.NONE;
    for (EffectBound bound : bounds) {
      AuditEffect auditEffect = model.effect(bound, arm);
      largest =
          largest.orLarger(
              EffectSize.of(auditEffect.estimate(), auditEffect.lower(), auditEffect.upper()));
    }
    return largest;
  }

  /** Returns an arm alone, of which only the effect is known. */
  static ArmProspects of(EffectSize effect) {
    return new ArmProspects(new double[1], new double[1], new EffectSize[] {effect});
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
    return effects[candidate];
  }
}
