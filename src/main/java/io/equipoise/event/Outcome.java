package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of a segment's state that is no decision. Meaning and unit of every component are
 * documented in {@code avro/Outcome.avsc}; times are epoch milliseconds. Collections are copied.
 */
public record Outcome(
    OutcomeKind kind,
    String segment,
    int shard,
    int attempt,
    long seq,
    @Nullable String decisionId,
    @Nullable String decisionHash,
    @Nullable Long decisionSeq,
    @Nullable String rewardId,
    long eventTime,
    @Nullable String arm,
    @Nullable String shownArm,
    @Nullable Double propensity,
    @Nullable List<Double> features,
    Map<String, String> mediators,
    @Nullable Double reward,
    boolean learned,
    @Nullable Double learnedReward,
    @Nullable String modelFingerprint,
    @Nullable String specHash,
    @Nullable Long specNumber,
    @Nullable String priorHash,
    @Nullable Long priorNumber,
    List<String> stateReset,
    @Nullable String detail,
    @Nullable String rewardTopic,
    @Nullable Integer rewardPartition,
    @Nullable Long rewardOffset,
    @Nullable Hidden hidden,
    List<Double> propensities,
    @Nullable PropensityKind propensityKind,
    @Nullable Integer propensityDraws,
    @Nullable AssumptionAudit assumption) {

  public Outcome {
    features = features == null ? null : List.copyOf(features);
    mediators = NameMap.copyOf(mediators);
    stateReset = List.copyOf(stateReset);
    propensities = List.copyOf(propensities);
  }

  /** Returns the same as a version writes it that keeps no propensities of pending decisions. */
  public Outcome withoutPropensities() {
    return with(features, hidden, List.of(), null, null, assumption);
  }

  /** Returns the same with other features. */
  public Outcome with(@Nullable List<Double> features, @Nullable Hidden hidden) {
    return with(features, hidden, assumption);
  }

  /** Returns the same with other features, and another assumption. */
  public Outcome with(
      @Nullable List<Double> features,
      @Nullable Hidden hidden,
      @Nullable AssumptionAudit assumption) {
    return with(features, hidden, propensities, propensityKind, propensityDraws, assumption);
  }

  private Outcome with(
      @Nullable List<Double> features,
      @Nullable Hidden hidden,
      List<Double> propensities,
      @Nullable PropensityKind propensityKind,
      @Nullable Integer propensityDraws,
      @Nullable AssumptionAudit assumption) {
    return new Outcome(
        kind,
        segment,
        shard,
        attempt,
        seq,
        decisionId,
        decisionHash,
        decisionSeq,
        rewardId,
        eventTime,
        arm,
        shownArm,
        propensity,
        features,
        mediators,
        reward,
        learned,
        learnedReward,
        modelFingerprint,
        specHash,
        specNumber,
        priorHash,
        priorNumber,
        stateReset,
        detail,
        rewardTopic,
        rewardPartition,
        rewardOffset,
        hidden,
        propensities,
        propensityKind,
        propensityDraws,
        assumption);
  }
}
