package io.equipoise.join;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Origin;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentMetrics;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a replay takes from a record as it is, because it follows neither from the records before
 * nor from the spec; everything else in it is computed anew and compared.
 *
 * <ul>
 *   <li>Who wrote it: {@code attempt}, and the {@code keyGroup}, which follows from how the job is
 *       laid out.
 *   <li>What came with a context: its id, time and origin, {@code features}, {@code
 *       candidateFeatures} and the {@code candidates} where they are its own.
 *   <li>What came with a reward: the id of its decision and its own, time and origin, {@code
 *       shownArm}, {@code reward} and, in the record that takes it in, {@code mediators}.
 *   <li>Why a context was refused, by {@code why} and {@code errorCode}: its bytes and the clock
 *       decide.
 *   <li>The answer of a decision that was {@code recovered}: what it was computed from is lost.
 *   <li>When event time or an input brought a spec, prior bounds, a return, the end of a phase or
 *       that of a tombstone, and of which id that was; when a segment began to rest.
 *   <li>Which spec or prior bounds were taken up: whoever publishes decides.
 *   <li>The features of an outcome where they are hidden and cannot be revealed.
 *   <li>That an earlier version kept no propensities of the decision that an outcome is about.
 *   <li>That the job had lost the text of its spec or the rows of its prior bounds.
 *   <li>When event time caused a snapshot, and who wrote that one.
 * </ul>
 */
final class Told {
  private static final String NOWHERE = "";
  private static final byte[] NO_BYTES = {};

  private Told() {}

  static Attempt attempt(Decision decision) {
    return new Attempt(decision.attempt(), GivenAnswers.NONE, segment -> decision.keyGroup());
  }

  static Attempt attempt(Outcome outcome) {
    return Attempt.numbered(outcome.attempt());
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
        new Origin(
            Objects.requireNonNullElse(decision.contextTopic(), NOWHERE),
            decision.contextPartition(),
            decision.contextOffset(),
            Origin.NO_APPEND_TIME),
        NO_BYTES);
  }

  /** Returns the reward that an outcome takes in, which names it. */
  static RewardEvent reward(Outcome outcome, String decisionId, double reward) {
    return new RewardEvent(
        decisionId,
        outcome.rewardId(),
        outcome.segment(),
        outcome.eventTime(),
        reward,
        new TreeMap<>(outcome.mediators()),
        outcome.shownArm(),
        new Origin(
            Objects.requireNonNullElse(outcome.rewardTopic(), NOWHERE),
            Objects.requireNonNullElse(outcome.rewardPartition(), -1),
            Objects.requireNonNullElse(outcome.rewardOffset(), -1L),
            Origin.NO_APPEND_TIME),
        NO_BYTES);
  }

  /** Says whether the job had no spec's text when it refused a context. */
  static boolean isSpecLost(Decision decision) {
    return !decision.isChosen() && decision.specHash() == null;
  }

  /** Says whether the job had not the text of the spec that the segment was under till then. */
  static boolean isSpecLost(Outcome outcome) {
    return switch (outcome.kind()) {
      case SPEC_ADOPTED -> String.valueOf(outcome.detail()).endsWith(Adoption.LOST);
      case APPLIED, COLLECTED, PRIOR_ADOPTED -> false; // nobody can without a spec
      case EXPIRED, WINDOW_CLOSED, EVICTED, PHASE_CLOSED, REVIVED, ASSUMPTION_REFUTED ->
          outcome.specHash() == null;
    };
  }

  /** Says whether the job had no spec's text when event time caused a snapshot. */
  static boolean isSpecLost(SegmentMetrics snapshot) {
    return snapshot.specHash() == null;
  }

  /** Says whether the job had not the rows of the prior bounds that the segment clipped into. */
  static boolean arePriorsLost(Outcome outcome) {
    return outcome.kind() == OutcomeKind.PRIOR_ADOPTED
        ? outcome.priorHash() == null
        : outcome.stateReset().contains(Adoption.PRIORS);
  }
}
