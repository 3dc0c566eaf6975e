package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins the decision of a segment event with what was learned from it. {@code
 * avro/SegmentEvent.avsc} documents the meaning and unit of every component. Collections are
 * copied.
 */
public record JoinedDecision(
    @Nullable String id,
    @Nullable String hash,
    @Nullable Long seq,
    @Nullable String arm,
    @Nullable Double propensity,
    @Nullable Propensities propensities,
    @Nullable List<Double> features,
    Map<String, String> mediators,
    @Nullable Double learnedReward,
    @Nullable String reason) {

  public JoinedDecision {
    features = features == null ? null : List.copyOf(features);
    mediators = NameMap.copyOf(mediators);
  }

  /** Returns a copy with other features. */
  public JoinedDecision with(@Nullable List<Double> features) {
    return new JoinedDecision(
        id, hash, seq, arm, propensity, propensities, features, mediators, learnedReward, reason);
  }
}
