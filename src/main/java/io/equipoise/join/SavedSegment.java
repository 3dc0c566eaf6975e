package io.equipoise.join;

import io.equipoise.bandit.Block;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.event.IdHash;
import io.equipoise.spec.IdleStateSpec.Retain;
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
public record SavedSegment(
    SegmentHead head, MemoryBlocks model, @Nullable Retain resting, Map<IdHash, Entry> entries) {

  /** Returns a segment that rests and has kept nothing it had learned. */
  public static SavedSegment emptied(SegmentStub stub) {
    return new SavedSegment(stub.emptyHead(), new MemoryBlocks(), Retain.NONE, Map.of());
  }

  /** Returns the seq that a log goes on after. */
  public long seq() {
    return head.seq;
  }

  /** Returns the decisions whose reward windows were open. */
  public Map<IdHash, Entry.Awaiting> awaiting() {
    Map<IdHash, Entry.Awaiting> awaiting = new HashMap<>();
    entries.forEach(
        (id, entry) -> {
          if (entry instanceof Entry.Awaiting decision) {
            awaiting.put(id, decision);
          }
        });
    return awaiting;
  }

  /** Returns a copy of head and model that may be written to. */
  MemorySegmentState toState() {
    MemorySegmentState state = new MemorySegmentState();
    for (Map.Entry<Long, Block> block : model.entries()) {
      state.blocks().put(block.getKey(), block.getValue().copy());
    }
    if (resting == null) {
      state.putHead(head.copy());
    } else if (resting == Retain.NONE) {
      state.putStub(SegmentStub.emptied(head));
    } else {
      state.putStub(new SegmentStub(resting, state.pack(head.copy())));
      state.clearBlocks();
    }
    return state;
  }
}
