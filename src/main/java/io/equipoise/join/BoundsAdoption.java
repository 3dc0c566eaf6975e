package io.equipoise.join;

import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.spec.CausalBoundsSpec;
import org.jspecify.annotations.Nullable;

/**
 * Takes up the newest set of causal bounds that a segment's spec asks for and can use. A set that
 * it cannot use is a dead letter, once, and what runs stays; an older number never comes back.
 */
final class BoundsAdoption {
  private final Turn turn;
  private final Changes changes;

  BoundsAdoption(Turn turn, Changes changes) {
    this.turn = turn;
    this.changes = changes;
  }

  /** Looks what there is. Costs O(1) where nothing is newer than what runs. */
  void look(long eventTime, OutputLog log) {
    CompiledSpec spec = turn.spec;
    CausalBoundsSpec wanted = spec == null ? null : spec.spec().policy().causalBounds();
    if (spec == null || wanted == null) {
      return;
    }
    if (turn.head.boundsHash != null && turn.causalBounds == null) {
      lose(eventTime);
    }
    boolean isNewest = true;
    for (CausalBoundSet set : turn.judge.offered(wanted.name())) {
      if (turn.head.boundsHash != null && set.version() <= turn.head.boundsVersion) {
        return;
      }
      ValidatedBounds judged = turn.judge.judge(set, spec);
      if (judged instanceof ValidatedBounds.Usable usable) {
        take(usable, eventTime);
        return;
      }
      if (isNewest && !set.hash().equals(turn.head.rejectedBounds)) {
        turn.head.rejectedBounds = set.hash();
        refuse((ValidatedBounds.Refused) judged, log);
      }
      isNewest = false;
    }
  }

  /** Clips no more into bounds whose rows are lost, and writes so. */
  void lose(long eventTime) {
    String lost = turn.head.boundsHash;
    changes.dropBounds();
    adopted(eventTime, lost);
  }

  /** Clips into these bounds from now on, and writes so. */
  void take(ValidatedBounds.Usable usable, long eventTime) {
    String before = turn.head.boundsHash;
    changes.adopt(usable);
    adopted(eventTime, before);
  }

  private void adopted(long eventTime, @Nullable String before) {
    turn.journal.write(
        turn.journal.segmentEvent(SegmentEventType.BOUNDS_ADOPTED, eventTime).afterBounds(before));
  }

  private void refuse(ValidatedBounds.Refused refused, OutputLog log) {
    log.deadLetter(
        DeadLetter.undecodable(
            refused.code(),
            "segment %s does not take up %s: %s"
                .formatted(turn.segment, refused.set(), refused.why()),
            new Origin("causal-bounds", 0, -1, Origin.NO_APPEND_TIME),
            CausalBoundKey.of(refused.row()).bytes(),
            Wire.CAUSAL_BOUND.encode(refused.row())));
  }
}
