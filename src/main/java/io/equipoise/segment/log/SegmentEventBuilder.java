package io.equipoise.segment.log;

import io.equipoise.event.AbortReason;
import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.Origin;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.Propensities;
import io.equipoise.segment.state.SegmentContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A segment event record in the making: which of its many fields a kind of change fills differs.
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
  private List<String> stateReset = List.of();
  private @Nullable ErrorCode reason;
  private @Nullable String previousSpecHash;
  private boolean isSpecTextLost;
  private List<String> extendedVariables = List.of();
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

  /** Names the arm that is learned, where it is not the one decided. */
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

  /** Only that of the arm decided is remembered. */
  private @Nullable Double propensity() {
    return decision != null && segmentContext.head.arms.get(decision.arm()).equals(arm)
        ? RecordFields.known(decision.propensity())
        : null;
  }

  /** Says whether a reward was learned. */
  public boolean isLearned() {
    return learnedReward != null;
  }

  public SegmentEventBuilder reset(List<String> parts) {
    this.stateReset = parts;
    return this;
  }

  /** Names why nothing is learned of a decision that ends. */
  public SegmentEventBuilder unlearned(ErrorCode why) {
    this.reason = why;
    return this;
  }

  /**
   * Names the spec that was in force before.
   *
   * @param isTextLost whether the job does not have its text
   * @param extended variables that have more levels now
   */
  public SegmentEventBuilder afterSpec(String hash, boolean isTextLost, List<String> extended) {
    this.previousSpecHash = hash;
    this.isSpecTextLost = isTextLost;
    this.extendedVariables = extended;
    return this;
  }

  /** Names the causal bounds that were in force before, if there were any. */
  public SegmentEventBuilder afterBounds(@Nullable String hash) {
    this.previousBoundsHash = hash;
    return this;
  }

  /** Says why the change ends the experiment. */
  SegmentEventBuilder abort(AbortReason why) {
    this.abortReason = why;
    return this;
  }

  /** Says whether a passivated segment keeps its model. */
  public SegmentEventBuilder modelRetained(boolean isRetained) {
    this.isModelRetained = isRetained;
    return this;
  }

  public SegmentEventBuilder assumption(AssumptionAudit refuted) {
    this.assumption = refuted;
    return this;
  }

  /** Names the row of causal bounds that the rewards refuted, and the arm it is about. */
  public SegmentEventBuilder bounds(String of, RefutedBounds refuted) {
    this.arm = of;
    this.bounds = refuted;
    return this;
  }

  SegmentEvent numbered(long seq) {
    @Nullable CompiledSpec spec = segmentContext.spec;
    @Nullable Origin origin = reward == null ? null : reward.origin();
    @Nullable Propensities all = decision == null ? null : decision.propensities();
    return new SegmentEvent(
        type,
        segmentContext.segment,
        writerEpoch,
        seq,
        decisionId,
        decisionHash == null || decisionId != null ? null : decisionHash.hex(),
        decision == null ? null : decision.decisionSeq(),
        reward == null ? null : reward.rewardId(),
        eventTime,
        arm,
        reward == null ? null : reward.shownArm(),
        propensity(),
        decision == null ? null : RecordFields.levels(decision.context()),
        mediators,
        reward == null ? null : reward.reward(),
        learnedReward != null,
        learnedReward,
        type == SegmentEventType.SPEC_ADOPTED ? segmentContext.head.fingerprint : null,
        spec == null ? null : spec.spec().hash(),
        spec == null ? null : spec.spec().version(),
        type == SegmentEventType.SPEC_ADOPTED && spec != null ? spec.armIds() : List.of(),
        segmentContext.head.boundsHash,
        segmentContext.boundsVersion(),
        stateReset,
        reason == null ? null : reason.name(),
        previousSpecHash,
        isSpecTextLost,
        extendedVariables,
        previousBoundsHash,
        abortReason,
        isModelRetained,
        origin == null ? null : origin.topic(),
        origin == null ? null : origin.partition(),
        origin == null ? null : origin.offset(),
        null,
        all == null ? List.of() : RecordFields.boxed(all.values()),
        all == null ? List.of() : RecordFields.boxed(all.runs()),
        all == null ? null : all.kind(),
        all == null || all.draws() == 0 ? null : (Integer) all.draws(),
        assumption,
        bounds);
  }
}
