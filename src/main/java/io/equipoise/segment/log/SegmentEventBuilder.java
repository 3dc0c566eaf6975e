package io.equipoise.segment.log;

import io.equipoise.event.AbortReason;
import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.Place;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SpecAdoption;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.SegmentContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the record of a segment event; each type of change sets other fields. For one record: the
 * log adds the seq when it writes the record.
 */
public final class SegmentEventBuilder {
  private final SegmentContext segmentContext;
  private final int writerEpoch;
  private final SegmentEventType type;
  private final long eventTime;

  private @Nullable String decisionId;
  private @Nullable IdHash decisionHash;
  private Entry.@Nullable PendingDecision decision;
  private @Nullable RewardEvent reward;
  private Map<String, String> mediators = Map.of();
  private @Nullable String arm;
  private @Nullable Double learnedReward;
  private @Nullable ErrorCode reason;
  private @Nullable SpecAdoption adoption;
  private @Nullable String previousBoundsHash;
  private @Nullable AbortReason abortReason;
  private @Nullable Boolean isModelRetained;
  private @Nullable AssumptionAudit assumption;
  private @Nullable RefutedBounds bounds;

  SegmentEventBuilder(
      SegmentContext segmentContext, int writerEpoch, SegmentEventType type, long eventTime) {
    this.segmentContext = segmentContext;
    this.writerEpoch = writerEpoch;
    this.type = type;
    this.eventTime = eventTime;
  }

  public SegmentEventBuilder id(IdHash hash) {
    this.decisionHash = hash;
    return this;
  }

  public SegmentEventBuilder decision(IdHash hash, Entry.PendingDecision pendingDecision) {
    this.decisionHash = hash;
    this.decision = pendingDecision;
    this.arm = segmentContext.head.arms.get(pendingDecision.arm());
    return this;
  }

  public SegmentEventBuilder reward(RewardEvent event) {
    this.reward = event;
    this.decisionId = event.decisionId();
    return this;
  }

  /** Sets the arm that is learned if it is not the decided one. */
  public SegmentEventBuilder arm(String learned) {
    this.arm = learned;
    return this;
  }

  public SegmentEventBuilder mediators(int[] levels) {
    this.mediators = MediatorsOfReward.named(levels, segmentContext.requireSpec());
    return this;
  }

  public SegmentEventBuilder learned(double value) {
    this.learnedReward = value;
    return this;
  }

  /** Returns the propensity of the arm, null if it is not the decided one: only that is stored. */
  private @Nullable Double propensity() {
    return decision != null && segmentContext.head.arms.get(decision.arm()).equals(arm)
        ? RecordFields.known(decision.propensity())
        : null;
  }

  /** Returns whether a learned reward was set. */
  public boolean isLearned() {
    return learnedReward != null;
  }

  /** Sets the reason why nothing is learned from a decision that ends. */
  public SegmentEventBuilder unlearned(ErrorCode why) {
    this.reason = why;
    return this;
  }

  /** Sets the changes that a newly adopted spec made. */
  public SegmentEventBuilder adoption(SpecAdoption by) {
    this.adoption = by;
    return this;
  }

  /** Sets the hash of the causal bounds that were adopted before, null if there were none. */
  public SegmentEventBuilder afterBounds(@Nullable String hash) {
    this.previousBoundsHash = hash;
    return this;
  }

  /** Sets the reason why the change ends the experiment. */
  SegmentEventBuilder abort(AbortReason why) {
    this.abortReason = why;
    return this;
  }

  /** Sets whether a passivated segment retains its model. */
  public SegmentEventBuilder modelRetained(boolean isRetained) {
    this.isModelRetained = isRetained;
    return this;
  }

  public SegmentEventBuilder assumption(AssumptionAudit refuted) {
    this.assumption = refuted;
    return this;
  }

  public SegmentEventBuilder bounds(RefutedBounds refuted) {
    this.bounds = refuted;
    return this;
  }

  SegmentEvent numbered(long seq) {
    return new SegmentEvent(
        type,
        new Place(segmentContext.segment, writerEpoch, seq),
        eventTime,
        RecordFields.versions(
            segmentContext,
            type == SegmentEventType.SPEC_ADOPTED ? segmentContext.head.fingerprint : null),
        joinedDecision(),
        reward == null
            ? null
            : new JoinedReward(
                reward.rewardId(), reward.reward(), reward.shownArm(), reward.origin().source()),
        adoption,
        previousBoundsHash,
        isModelRetained,
        abortReason,
        assumption,
        bounds,
        null);
  }

  private @Nullable JoinedDecision joinedDecision() {
    if (decisionHash == null) {
      return null;
    }
    return new JoinedDecision(
        decisionId,
        decisionId == null ? decisionHash.hex() : null,
        decision == null ? null : (Long) decision.decisionSeq(),
        arm,
        propensity(),
        decision == null ? null : RecordFields.logged(decision.propensities()),
        decision == null ? null : RecordFields.levels(decision.context()),
        mediators,
        learnedReward,
        reason == null ? null : reason.name());
  }
}
