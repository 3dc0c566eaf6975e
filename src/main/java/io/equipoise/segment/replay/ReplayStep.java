package io.equipoise.segment.replay;

import io.equipoise.event.IdHash;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.segment.SegmentSession;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segment.state.ValidatedBounds;
import io.equipoise.segment.upgrade.SpecCompatibility;
import io.equipoise.segmentspec.IdleStateSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a logged change other than a decision with the code that made it, from the fields of its
 * record. The session writes the record that the log should have.
 */
record ReplayStep(
    SegmentContext segmentContext,
    SegmentSession session,
    Map<IdHash, Entry.PendingDecision> awaiting,
    SpecRegistry book) {
  private static final Entry.RewardFingerprint UNSEEN = new Entry.RewardFingerprint(0, 0);

  /**
   * Repeats the change.
   *
   * @throws ReplayMismatchException if it cannot have happened
   */
  void of(SegmentEvent segmentEvent) {
    switch (segmentEvent.type()) {
      case SPEC_ADOPTED -> adopt(segmentEvent);
      case BOUNDS_ADOPTED -> adoptBounds(segmentEvent);
      case REWARD_APPLIED, REWARD_BUFFERED -> settle(segmentEvent);
      case REWARD_TIMEOUT, WINDOW_CLOSED -> {
        IdHash id = id(segmentEvent);
        session.expiry.closed(id, ended(id, segmentEvent));
      }
      case DECISION_EVICTED -> {
        IdHash id = id(segmentEvent);
        session.expiry.evicted(id, ended(id, segmentEvent));
      }
      case DEDUP_ENTRY_EVICTED ->
          session.expiry.forgotten(id(segmentEvent), segmentEvent.eventTime());
      case SEGMENT_PASSIVATED -> rest(segmentEvent);
      case PHASE_CLOSED -> closePhase(segmentEvent);
      case ASSUMPTION_REFUTED -> session.refutations.writeNext(segmentEvent.eventTime());
      case BOUNDS_REFUTED -> session.refutations.writeNextBounds(segmentEvent.eventTime());
      case SEGMENT_ACTIVATED -> session.passivation.ended(segmentEvent.eventTime());
    }
  }

  private void adopt(SegmentEvent segmentEvent) {
    @Nullable CompiledSpec spec = book.byHash(String.valueOf(segmentEvent.specHash()));
    if (spec == null) {
      throw new ReplayMismatchException(
          "seq %d of segment %s adopts spec %s, whose text is missing"
              .formatted(segmentEvent.seq(), segmentEvent.segment(), segmentEvent.specHash()));
    }
    session.upgrade.adopt(
        spec, SpecCompatibility.of(segmentContext, spec), segmentEvent.eventTime());
  }

  private void adoptBounds(SegmentEvent segmentEvent) {
    String hash = segmentEvent.versions().boundsHash();
    if (hash == null) {
      session.bounds.lose(segmentEvent.eventTime());
      return;
    }
    ValidatedBounds.Usable causalBounds =
        segmentContext.check.usable(hash, segmentContext.requireSpec());
    if (causalBounds == null) {
      throw new ReplayMismatchException(
          "seq %d of segment %s adopts causal bounds %s, which are missing or not for its spec"
              .formatted(segmentEvent.seq(), segmentEvent.segment(), hash));
    }
    session.bounds.take(causalBounds, segmentEvent.eventTime());
  }

  private void settle(SegmentEvent segmentEvent) {
    String decisionId = segmentEvent.decisionId();
    JoinedReward joined = segmentEvent.reward();
    if (decisionId == null || joined == null) {
      throw new ReplayMismatchException(
          "seq %d of segment %s (%s) names no decision, or no reward"
              .formatted(segmentEvent.seq(), segmentEvent.segment(), segmentEvent.type()));
    }
    IdHash id = id(segmentEvent);
    Entry.PendingDecision decision = ended(id, segmentEvent);
    CompiledSpec spec = segmentContext.requireSpec();
    RewardEvent reward = ReplayInputs.reward(segmentEvent, decisionId, joined);
    int[] mediators = spec.encoder().encodeMediators(reward.mediators()).levels();
    String arm = session.rewards.armOf(reward, decision);
    boolean isNoneShown = reward.isConfirmation() && reward.shownArm() == null;
    if (isNoneShown || !session.transitions.knows(decision, arm)) {
      session.rewards.untaught(reward, IdHash.of(decisionId), decision, mediators);
    } else if (reward.isConfirmation()) {
      awaiting.put(id, session.rewards.confirmed(reward, IdHash.of(decisionId), decision, arm));
    } else if (spec.spec().join().isLearnedAtOnce()) {
      session.rewards.applied(reward, IdHash.of(decisionId), decision, arm, mediators);
    } else {
      awaiting.put(
          id,
          session.rewards.collected(
              reward, UNSEEN, IdHash.of(decisionId), decision, arm, mediators));
    }
  }

  /**
   * Passivates the segment; it must have an idle rule, no pending decision and no running
   * experiment.
   */
  private void rest(SegmentEvent segmentEvent) {
    IdleStateSpec rule = session.passivation.rule();
    if (rule == null || !awaiting.isEmpty() || segmentContext.running() != null) {
      throw new ReplayMismatchException(
          "seq %d of segment %s gives up its state without a rule, or while %d decisions or an"
                  .formatted(segmentEvent.seq(), segmentEvent.segment(), awaiting.size())
              + " experiment wait");
    }
    session.passivation.begin(rule.retain(), segmentEvent.eventTime());
  }

  private void closePhase(SegmentEvent segmentEvent) {
    if (segmentEvent.abortReason() != null) {
      session.phases.retire(segmentEvent.eventTime());
    } else {
      session.phases.closeNext(segmentEvent.eventTime());
    }
  }

  private static IdHash id(SegmentEvent segmentEvent) {
    return IdHash.ofHex(String.valueOf(segmentEvent.hashOfDecision()));
  }

  /** Removes and returns the pending decision of an id. */
  private Entry.PendingDecision ended(IdHash id, SegmentEvent segmentEvent) {
    Entry.PendingDecision decision = awaiting.remove(id);
    if (decision == null) {
      throw new ReplayMismatchException(
          "seq %d of segment %s (%s) names decision %s, which awaits nothing"
              .formatted(
                  segmentEvent.seq(),
                  segmentEvent.segment(),
                  segmentEvent.type(),
                  segmentEvent.hashOfDecision()));
    }
    return decision;
  }
}
