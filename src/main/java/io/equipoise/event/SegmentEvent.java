package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records a change of a segment's state other than a decision. {@code avro/SegmentEvent.avsc}
 * documents the meaning and unit of every component; times are epoch ms.
 */
public record SegmentEvent(
    SegmentEventType type,
    Place place,
    long eventTime,
    Versions versions,
    @Nullable JoinedDecision decision,
    @Nullable JoinedReward reward,
    @Nullable SpecAdoption adoption,
    @Nullable String previousBoundsHash,
    @Nullable Boolean modelRetained,
    @Nullable AbortReason abortReason,
    @Nullable AssumptionAudit assumption,
    @Nullable RefutedBounds refutedBounds,
    @Nullable Redaction redaction)
    implements PlacedOutput {

  @Override
  public @Nullable String decisionId() {
    return decision == null ? null : decision.id();
  }

  /** Returns the hash of the decision's id, null if the event belongs to no decision. */
  public @Nullable String hashOfDecision() {
    String id = decisionId();
    return id == null ? decision == null ? null : decision.hash() : IdHash.of(id).hex();
  }

  /** Returns the seq of the decision, null if there is none. */
  public @Nullable Long decisionSeq() {
    return decision == null ? null : decision.seq();
  }

  /** Returns the arm that was learned or is closed, null if there is none. */
  public @Nullable String arm() {
    return decision == null ? null : decision.arm();
  }

  /** Returns the encoded vector of the decision, null if there is none. */
  public @Nullable List<Double> features() {
    return decision == null ? null : decision.features();
  }

  /** Returns the mediators that came with rewards, empty if none came. */
  public Map<String, String> mediators() {
    return decision == null ? Map.of() : decision.mediators();
  }

  /** Returns what entered the model, null if nothing did. */
  public @Nullable Double learnedReward() {
    return decision == null ? null : decision.learnedReward();
  }

  /** Returns whether the model changed. */
  public boolean learned() {
    return learnedReward() != null;
  }

  /** Returns the error code that says why a decision was closed without learning, or null. */
  public @Nullable String reason() {
    return decision == null ? null : decision.reason();
  }

  /** Returns the reward as observed, null if the event takes in none. */
  public @Nullable Double observedReward() {
    return reward == null ? null : reward.value();
  }

  /** Returns the arm that the reward says was shown, null if it said nothing. */
  public @Nullable String shownArm() {
    return reward == null ? null : reward.shownArm();
  }

  /** Returns where the reward was read, null if the event takes in none. */
  public @Nullable Source source() {
    return reward == null ? null : reward.source();
  }

  /** Returns the parts of the state that the adopted spec reset. */
  public List<String> stateReset() {
    return adoption == null ? List.of() : adoption.stateReset();
  }

  /** Returns a copy with other features. */
  public SegmentEvent with(@Nullable List<Double> features, @Nullable Redaction redaction) {
    return with(features, redaction, assumption, refutedBounds);
  }

  /** Returns a copy with other features and another refuted assumption or other refuted bounds. */
  public SegmentEvent with(
      @Nullable List<Double> features,
      @Nullable Redaction redaction,
      @Nullable AssumptionAudit assumption,
      @Nullable RefutedBounds refutedBounds) {
    return new SegmentEvent(
        type,
        place,
        eventTime,
        versions,
        decision == null ? null : decision.with(features),
        reward,
        adoption,
        previousBoundsHash,
        modelRetained,
        abortReason,
        assumption,
        refutedBounds,
        redaction);
  }
}
