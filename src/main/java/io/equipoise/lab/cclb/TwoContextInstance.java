package io.equipoise.lab.cclb;

import io.equipoise.lab.SplitMix;
import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.policy.logistic.LogisticScale;
import java.util.List;

/** Two contexts with fixed candidates: reward-driven play does not cover the effect of one. */
final class TwoContextInstance implements CclbInstance {
  private final LogisticScale scale;
  private final double first;
  private final List<KnownRound> rounds;

  /**
   * Makes the instance.
   *
   * @param first probability of the first context
   * @param contexts the candidates of both, equally many
   */
  TwoContextInstance(
      LogisticScale scale,
      double[] theta,
      double tau,
      double first,
      List<List<EncodedCandidate>> contexts) {
    this.scale = scale;
    this.first = first;
    rounds =
        contexts.stream()
            .map(
                candidates -> {
                  List<List<Alternative>> alternatives = List.of(List.of(new Alternative(0, 0, 1)));
                  return KnownRound.of(new LogisticRequest(candidates, alternatives), theta, tau);
                })
            .toList();
  }

  @Override
  public LogisticScale scale() {
    return scale;
  }

  @Override
  public int candidates() {
    return rounds.get(0).request().size();
  }

  @Override
  public KnownRound next(SplitMix contexts) {
    return rounds.get(contexts.nextDouble() < first ? 0 : 1);
  }

  /** Returns the round of a context, 0 or 1. */
  KnownRound at(int context) {
    return rounds.get(context);
  }
}
