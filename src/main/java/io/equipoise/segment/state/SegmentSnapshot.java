package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A segment's state as a savepoint has it, from which a replay may begin where the log's beginning
 * is gone. Not to be written to.
 *
 * @param head what it keeps in one piece, also of a segment that rests
 * @param model what it has learned
 * @param resting what a segment that rests has kept; null where it does not rest
 * @param entries what it remembers of decision ids
 */
public record SegmentSnapshot(
    SegmentHeader head,
    MemoryModelState model,
    @Nullable Retain resting,
    Map<IdHash, Entry> entries) {

  /** Returns a segment that rests and has kept nothing it had learned. */
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

  /** Returns a copy of head and model that may be written to. */
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
