package io.equipoise.segment.replay;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.log.RecoveredDecisions;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.upgrade.SpecUpgrade;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a replay takes from a record as it is, because it follows neither from the records before
 * nor from the spec; everything else in it is recomputed and compared.
 *
 * <ul>
 *   <li>Who wrote it: {@code writerEpoch}, and the {@code keyGroup}, which follows from how the job
 *       is laid out.
 *   <li>What came with a context: its id, time and origin, {@code features}, {@code
 *       candidateFeatures} and the {@code candidates} where they are its own.
 *   <li>What came with a reward: the id of its decision and its own, time and origin, {@code
 *       shownArm}, {@code reward} and, in the record that takes it in, {@code mediators}.
 *   <li>Why a context was refused, by {@code reason} and {@code errorCode}: its bytes and the clock
 *       decide.
 *   <li>The answer of a decision that was {@code recovered}: what it was computed from is lost.
 *   <li>When event time or an input brought a spec, causal bounds, a return, the end of a phase or
 *       that of a dedup entry, and of which id that was; when a segment began to rest.
 *   <li>Which spec or causal bounds were taken up: whoever publishes decides.
 *   <li>The features of a segment event where they are hidden and cannot be revealed.
 *   <li>That the job had lost the text of its spec or the rows of its causal bounds.
 *   <li>When event time caused a snapshot, and who wrote that one.
 * </ul>
 */
final class ReplayInputs {
  private static final byte[] NO_BYTES = {};

  private ReplayInputs() {}

  static WriterEpoch writerEpoch(Decision decision) {
    return new WriterEpoch(
        decision.writerEpoch(), RecoveredDecisions.NONE, segment -> decision.keyGroup());
  }

  static WriterEpoch writerEpoch(SegmentEvent segmentEvent) {
    return WriterEpoch.numbered(segmentEvent.writerEpoch());
  }

  /** Returns a decision's context without its attributes, which the features stand for. */
  static ContextEvent context(Decision decision) {
    return new ContextEvent(
        decision.decisionId(),
        decision.segment(),
        decision.eventTime(),
        Map.of(),
        null,
        null,
        decision.source().origin(),
        NO_BYTES);
  }

  /** Returns the reward that a segment event takes in, which names it. */
  static RewardEvent reward(SegmentEvent segmentEvent, String decisionId, JoinedReward reward) {
    return new RewardEvent(
        decisionId,
        reward.id(),
        segmentEvent.segment(),
        segmentEvent.eventTime(),
        reward.value(),
        new TreeMap<>(segmentEvent.mediators()),
        reward.shownArm(),
        reward.source().origin(),
        NO_BYTES,
        null,
        null);
  }

  /** Says whether the job had no spec's text when it refused a context. */
  static boolean isSpecLost(Decision decision) {
    return !decision.isChosen() && decision.specHash() == null;
  }

  /** Says whether the job had not the text of the spec that the segment was under till then. */
  static boolean isSpecLost(SegmentEvent segmentEvent) {
    return switch (segmentEvent.type()) {
      case SPEC_ADOPTED -> Objects.requireNonNull(segmentEvent.adoption()).specTextLost();
      case REWARD_APPLIED, REWARD_BUFFERED, BOUNDS_ADOPTED -> false; // nobody can without a spec
      case REWARD_TIMEOUT,
              WINDOW_CLOSED,
              DECISION_EVICTED,
              DEDUP_ENTRY_EVICTED,
              SEGMENT_PASSIVATED,
              PHASE_CLOSED,
              SEGMENT_ACTIVATED,
              ASSUMPTION_REFUTED,
              BOUNDS_REFUTED ->
          segmentEvent.specHash() == null;
    };
  }

  /** Says whether the job had no spec's text when event time caused a snapshot. */
  static boolean isSpecLost(SegmentMetrics snapshot) {
    return snapshot.specHash() == null;
  }

  /** Says whether the job had not the rows of the causal bounds that the segment clipped into. */
  static boolean areBoundsLost(SegmentEvent segmentEvent) {
    return segmentEvent.type() == SegmentEventType.BOUNDS_ADOPTED
        ? segmentEvent.versions().boundsHash() == null
        : segmentEvent.stateReset().contains(SpecUpgrade.CAUSAL_BOUNDS);
  }
}
