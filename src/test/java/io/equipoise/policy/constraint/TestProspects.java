package io.equipoise.policy.constraint;

/** Prospects given as plain numbers: by candidate, and effects by candidate and constraint. */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record TestProspects(double[] mean, double[] optimistic, EffectSize[][] effects)
    implements CandidateScores {

  /** One constraint, with means below the optimistic values by a tenth. */
  static TestProspects of(double[] optimistic, EffectSize... effects) {
    double[] mean = new double[optimistic.length];
    EffectSize[][] byCandidate = new EffectSize[optimistic.length][];
    for (int i = 0; i < mean.length; i++) {
      mean[i] = optimistic[i] - 0.1;
      byCandidate[i] = new EffectSize[] {effects[i]};
    }
    return new TestProspects(mean, optimistic, byCandidate);
  }

  @Override
  public int candidates() {
    return optimistic.length;
  }

  @Override
  public int constraints() {
    return effects[0].length;
  }

  @Override
  public double mean(int candidate) {
    return mean[candidate];
  }

  @Override
  public double optimistic(int candidate) {
    return optimistic[candidate];
  }

  @Override
  public EffectSize effect(int candidate, int constraint) {
    return effects[candidate][constraint];
  }
}
