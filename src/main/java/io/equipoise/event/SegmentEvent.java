package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of a segment's state other than a decision. {@code avro/SegmentEvent.avsc} documents the
 * meaning and unit of every component; times are epoch ms. Collections are copied.
 */
public record SegmentEvent(
    SegmentEventType type,
    String segment,
    int writerEpoch,
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
    @Nullable Long specVersion,
    List<String> arms,
    @Nullable String boundsHash,
    @Nullable Long boundsVersion,
    List<String> stateReset,
    @Nullable String reason,
    @Nullable String previousSpecHash,
    boolean specTextLost,
    List<String> extendedVariables,
    @Nullable String previousBoundsHash,
    @Nullable AbortReason abortReason,
    @Nullable Boolean modelRetained,
    @Nullable String rewardTopic,
    @Nullable Integer rewardPartition,
    @Nullable Long rewardOffset,
    @Nullable Redaction redaction,
    List<Double> propensities,
    List<Integer> propensityRuns,
    @Nullable PropensityKind propensityKind,
    @Nullable Integer propensityDraws,
    @Nullable AssumptionAudit assumption,
    @Nullable RefutedBounds bounds)
    implements SegmentOutput {

  public SegmentEvent {
    features = features == null ? null : List.copyOf(features);
    mediators = NameMap.copyOf(mediators);
    stateReset = List.copyOf(stateReset);
    arms = List.copyOf(arms);
    extendedVariables = List.copyOf(extendedVariables);
    propensities = List.copyOf(propensities);
    propensityRuns = List.copyOf(propensityRuns);
  }

  /** Returns the hash of the decision's id, null if the event belongs to no decision. */
  public @Nullable String hashOfDecision() {
    return decisionId == null ? decisionHash : IdHash.of(decisionId).hex();
  }

  /** Returns a copy with other features. */
  public SegmentEvent with(@Nullable List<Double> features, @Nullable Redaction redaction) {
    return with(features, redaction, assumption, bounds);
  }

  /** Returns a copy with other features and another refuted assumption or other refuted bounds. */
  public SegmentEvent with(
      @Nullable List<Double> features,
      @Nullable Redaction redaction,
      @Nullable AssumptionAudit assumption,
      @Nullable RefutedBounds bounds) {
    return new SegmentEvent(
        type,
        segment,
        writerEpoch,
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
        specVersion,
        arms,
        boundsHash,
        boundsVersion,
        stateReset,
        reason,
        previousSpecHash,
        specTextLost,
        extendedVariables,
        previousBoundsHash,
        abortReason,
        modelRetained,
        rewardTopic,
        rewardPartition,
        rewardOffset,
        redaction,
        propensities,
        propensityRuns,
        propensityKind,
        propensityDraws,
        assumption,
        bounds);
  }
}
