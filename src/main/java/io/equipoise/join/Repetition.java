package io.equipoise.join;

import io.equipoise.event.IdHash;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.spec.IdleStateSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a change other than a decision once more, by the code that made it and from what the log
 * tells of it. The turn writes the record that should be there.
 */
final class Repetition {
  private static final Entry.Seen UNSEEN = new Entry.Seen(0, 0);

  private final Turn turn;
  private final Changes changes;
  private final Closing closing;
  private final Settling settling;
  private final Map<IdHash, Entry.Awaiting> awaiting;
  private final SpecBook book;

  Repetition(Turn turn, Map<IdHash, Entry.Awaiting> awaiting, SpecBook book) {
    this.turn = turn;
    this.changes = new Changes(turn);
    this.closing = new Closing(turn, changes);
    this.settling = new Settling(turn, changes, closing);
    this.awaiting = awaiting;
    this.book = book;
  }

  /**
   * Makes the change.
   *
   * @throws OracleMismatchException if it cannot have happened
   */
  void of(SegmentEvent segmentEvent) {
    switch (segmentEvent.type()) {
      case SPEC_ADOPTED -> adopt(segmentEvent);
      case BOUNDS_ADOPTED -> adoptBounds(segmentEvent);
      case REWARD_APPLIED, REWARD_BUFFERED -> settle(segmentEvent);
      case REWARD_TIMEOUT, WINDOW_CLOSED -> {
        IdHash id = id(segmentEvent);
        closing.closed(id, ended(id, segmentEvent));
      }
      case DECISION_EVICTED -> {
        IdHash id = id(segmentEvent);
        closing.evicted(id, ended(id, segmentEvent));
      }
      case DEDUP_ENTRY_EVICTED -> closing.forgotten(id(segmentEvent), segmentEvent.eventTime());
      case SEGMENT_PASSIVATED -> rest(segmentEvent);
      case PHASE_CLOSED -> closePhase(segmentEvent);
      case ASSUMPTION_REFUTED -> new Refutations(turn).writeNext(segmentEvent.eventTime());
      case BOUNDS_REFUTED -> new Refutations(turn).writeNextBounds(segmentEvent.eventTime());
      case SEGMENT_ACTIVATED -> Rest.ended(turn, segmentEvent.eventTime());
    }
  }

  private void adopt(SegmentEvent segmentEvent) {
    @Nullable CompiledSpec spec = book.byHash(String.valueOf(segmentEvent.specHash()));
    if (spec == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s adopts spec %s, whose text is not at hand"
              .formatted(segmentEvent.seq(), segmentEvent.segment(), segmentEvent.specHash()));
    }
    new Adoption(turn, changes).adopt(spec, Succession.of(turn, spec), segmentEvent.eventTime());
  }

  private void adoptBounds(SegmentEvent segmentEvent) {
    BoundsAdoption adoption = new BoundsAdoption(turn, changes);
    String hash = segmentEvent.boundsHash();
    if (hash == null) {
      adoption.lose(segmentEvent.eventTime());
      return;
    }
    ValidatedBounds.Usable causalBounds = turn.judge.usable(hash, turn.requireSpec());
    if (causalBounds == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s adopts causal bounds %s, which are not at hand or not for its spec"
              .formatted(segmentEvent.seq(), segmentEvent.segment(), hash));
    }
    adoption.take(causalBounds, segmentEvent.eventTime());
  }

  private void settle(SegmentEvent segmentEvent) {
    String decisionId = segmentEvent.decisionId();
    Double value = segmentEvent.reward();
    if (decisionId == null || value == null) {
      throw new OracleMismatchException(
          "seq %d of segment %s (%s) names no decision, or no reward"
              .formatted(segmentEvent.seq(), segmentEvent.segment(), segmentEvent.type()));
    }
    IdHash id = id(segmentEvent);
    Entry.Awaiting decision = ended(id, segmentEvent);
    CompiledSpec spec = turn.requireSpec();
    RewardEvent reward = Told.reward(segmentEvent, decisionId, value);
    int[] mediators = spec.encoder().encodeMediators(reward.mediators()).levels();
    String arm = settling.armOf(reward, decision);
    if (!changes.knows(decision, arm)) {
      settling.untaught(reward, IdHash.of(decisionId), decision, mediators);
    } else if (Settling.isLearnedAtOnce(spec)) {
      settling.applied(reward, IdHash.of(decisionId), decision, arm, mediators);
    } else {
      awaiting.put(
          id, settling.collected(reward, UNSEEN, IdHash.of(decisionId), decision, arm, mediators));
    }
  }

  /** What a segment gives up must be what its rule says, and no decision may wait. */
  private void rest(SegmentEvent segmentEvent) {
    Rest rest = new Rest(turn, changes);
    IdleStateSpec rule = rest.rule();
    if (rule == null || !awaiting.isEmpty() || changes.running() != null) {
      throw new OracleMismatchException(
          "seq %d of segment %s gives up its state without a rule, or while %d decisions or an"
                  .formatted(segmentEvent.seq(), segmentEvent.segment(), awaiting.size())
              + " experiment wait");
    }
    rest.begin(rule.retain(), segmentEvent.eventTime());
  }

  private void closePhase(SegmentEvent segmentEvent) {
    Phases phases = new Phases(turn, changes);
    if (segmentEvent.abortReason() != null) {
      phases.retire(segmentEvent.eventTime());
    } else {
      phases.closeNext(segmentEvent.eventTime());
    }
  }

  private static IdHash id(SegmentEvent segmentEvent) {
    return IdHash.ofHex(String.valueOf(segmentEvent.hashOfDecision()));
  }

  /** Returns what is known of a decision, which awaits nothing more. */
  private Entry.Awaiting ended(IdHash id, SegmentEvent segmentEvent) {
    Entry.Awaiting decision = awaiting.remove(id);
    if (decision == null) {
      throw new OracleMismatchException(
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
