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
 * Extracts the external inputs of a replay from a record: values that follow neither from earlier
 * records nor from the spec. The replay recomputes and compares every other field.
 *
 * <ul>
 *   <li>The writer: {@code writerEpoch}, and the {@code keyGroup}, which depends on the job's
 *       maximum parallelism.
 *   <li>The content of a context: its id, time and origin, {@code features}, {@code
 *       candidateFeatures} and its own {@code candidates}.
 *   <li>The content of a reward: the id of its decision and its own, time and origin, {@code
 *       shownArm}, {@code reward} and, in the reward's own record, {@code mediators}.
 *   <li>The rejection of a context, by {@code reason} and {@code errorCode}: its bytes and the
 *       clock decide.
 *   <li>The choice of a {@code recovered} decision: the state that it was computed from is lost.
 *   <li>The time of a spec's or bounds' adoption, an activation, a phase's end, a passivation, or a
 *       dedup entry's eviction, and the id of that entry.
 *   <li>The adopted spec or causal bounds: their publisher decides.
 *   <li>The features of a segment event if they are redacted and cannot be decrypted.
 *   <li>The loss of a spec's text or of the rows of causal bounds.
 *   <li>The time and the writer of a snapshot that event time caused.
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

  /** Returns a decision's context without its attributes; the features replace them. */
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

  /** Returns whether the job had no spec's text when it rejected a context. */
  static boolean isSpecLost(Decision decision) {
    return !decision.isChosen() && decision.specHash() == null;
  }

  /** Returns whether the job had lost the text of the segment's spec before this event. */
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

  /** Returns whether the job had no spec's text when event time caused a snapshot. */
  static boolean isSpecLost(SegmentMetrics snapshot) {
    return snapshot.specHash() == null;
  }

  /** Returns whether the job had lost the rows of the segment's causal bounds. */
  static boolean areBoundsLost(SegmentEvent segmentEvent) {
    return segmentEvent.type() == SegmentEventType.BOUNDS_ADOPTED
        ? segmentEvent.versions().boundsHash() == null
        : segmentEvent.stateReset().contains(SpecUpgrade.CAUSAL_BOUNDS);
  }
}
