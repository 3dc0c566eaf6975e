package io.equipoise.segment;

import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.ValidatedBounds;
import io.equipoise.segmentspec.CausalBoundsSpec;
import org.jspecify.annotations.Nullable;

/**
 * Adopts the newest set of causal bounds that a segment's spec asks for and can use. A set that it
 * cannot use becomes one dead letter, and the adopted set stays. An older version is never adopted.
 */
public final class BoundsAdoption {
  private final SegmentContext segmentContext;
  private final StateTransitions transitions;
  private final EventLogWriter eventLog;

  BoundsAdoption(SegmentSession session) {
    this.segmentContext = session.segmentContext;
    this.transitions = session.transitions;
    this.eventLog = session.eventLog;
  }

  /**
   * Adopts a newer usable set if there is one. Costs O(1) if nothing is newer than the adopted set.
   */
  void look(long eventTime, OutputLog log) {
    CompiledSpec spec = segmentContext.spec;
    CausalBoundsSpec wanted = spec == null ? null : spec.spec().policy().causalBounds();
    if (spec == null || wanted == null) {
      return;
    }
    if (segmentContext.head.boundsHash != null && segmentContext.causalBounds == null) {
      lose(eventTime);
    }
    boolean isNewest = true;
    for (CausalBoundSet set : segmentContext.check.offered(wanted.name())) {
      if (segmentContext.head.boundsHash != null
          && set.version() <= segmentContext.head.boundsVersion) {
        return;
      }
      ValidatedBounds checked = segmentContext.check.check(set, spec);
      if (checked instanceof ValidatedBounds.Usable usable) {
        take(usable, eventTime);
        return;
      }
      if (isNewest && !set.hash().equals(segmentContext.head.rejectedBounds)) {
        segmentContext.head.rejectedBounds = set.hash();
        refuse((ValidatedBounds.Refused) checked, log);
      }
      isNewest = false;
    }
  }

  /** Drops the adopted bounds because their rows are lost, and logs it. */
  public void lose(long eventTime) {
    String lost = segmentContext.head.boundsHash;
    segmentContext.dropBounds();
    adopted(eventTime, lost);
  }

  /** Adopts these bounds and logs it. */
  public void take(ValidatedBounds.Usable usable, long eventTime) {
    String before = segmentContext.head.boundsHash;
    transitions.adopt(usable);
    adopted(eventTime, before);
  }

  private void adopted(long eventTime, @Nullable String before) {
    eventLog.write(
        eventLog.segmentEvent(SegmentEventType.BOUNDS_ADOPTED, eventTime).afterBounds(before));
  }

  private void refuse(ValidatedBounds.Refused refused, OutputLog log) {
    log.write(
        DeadLetter.undecodable(
            refused.code(),
            "segment %s does not take up %s: %s"
                .formatted(segmentContext.segment, refused.set(), refused.why()),
            new Origin("causal-bounds", 0, -1, Origin.NO_APPEND_TIME),
            CausalBoundKey.of(refused.row()).bytes(),
            Wire.CAUSAL_BOUND.encode(refused.row())));
  }
}
