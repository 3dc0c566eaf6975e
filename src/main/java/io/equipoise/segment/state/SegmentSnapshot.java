package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds a segment's state from a savepoint, where a replay can begin if the first records of the
 * log are gone. Not to be modified.
 *
 * @param head its header, also of a passivated segment
 * @param model its learned statistics
 * @param resting what a passivated segment retained; null if it is active
 * @param entries its entries by decision id
 */
public record SegmentSnapshot(
    SegmentHeader head,
    MemoryModelState model,
    @Nullable Retain resting,
    Map<IdHash, Entry> entries) {

  /** Returns a passivated segment that retained nothing it had learned. */
  public static SegmentSnapshot emptied(PassivatedSegment passivated) {
    return new SegmentSnapshot(
        passivated.emptyHead(), new MemoryModelState(), Retain.NONE, Map.of());
  }

  /** Returns the seq that a log goes on after. */
  public long seq() {
    return head.seq;
  }

  /** Returns the decisions whose reward windows were open. */
  public Map<IdHash, Entry.PendingDecision> awaiting() {
    Map<IdHash, Entry.PendingDecision> awaiting = new HashMap<>();
    entries.forEach(
        (id, entry) -> {
          if (entry instanceof Entry.PendingDecision decision) {
            awaiting.put(id, decision);
          }
        });
    return awaiting;
  }

  /** Returns a copy of header and model that may be modified. */
  public MemorySegmentState toState() {
    MemorySegmentState state = new MemorySegmentState();
    for (Map.Entry<Long, StateBlock> block : model.entries()) {
      state.blocks().put(block.getKey(), block.getValue().copy());
    }
    if (resting == null) {
      state.putHead(head.copy());
    } else if (resting == Retain.NONE) {
      state.putPassivated(PassivatedSegment.emptied(head));
    } else {
      state.putPassivated(new PassivatedSegment(resting, state.pack(head.copy())));
      state.clearBlocks();
    }
    return state;
  }
}
