package io.equipoise.segment.state;

import io.equipoise.event.IdHash;
import io.equipoise.event.Sha256;
import java.nio.ByteBuffer;

/**
 * Keeps the number of awaiting decisions of each arm, and the order-free 128-bit sum over those of
 * a segment: each adds the first 16 bytes of a SHA-256 over what is known of it, lane by lane
 * modulo 2^64, so that neither the order of decisions nor that of settling them matters.
 *
 * <p>The propensities of the candidates that were not chosen are left out: every segment event
 * repeats them, and the replay compares them bit for bit.
 */
public final class PendingDigest {
  private static final int FIXED_BYTES = 16 + 3 * Long.BYTES + 2 * Integer.BYTES;
  private static final int COLLECTED_BYTES = Integer.BYTES + 5 * Long.BYTES;

  private PendingDigest() {}

  public static void add(SegmentHeader head, IdHash id, Entry.PendingDecision decision) {
    ByteBuffer lanes = lanes(id, decision);
    head.pendingHigh += lanes.getLong(0);
    head.pendingLow += lanes.getLong(Long.BYTES);
    head.awaits(decision.arm(), 1);
  }

  public static void remove(SegmentHeader head, IdHash id, Entry.PendingDecision decision) {
    ByteBuffer lanes = lanes(id, decision);
    head.pendingHigh -= lanes.getLong(0);
    head.pendingLow -= lanes.getLong(Long.BYTES);
    head.awaits(decision.arm(), -1);
  }

  private static ByteBuffer lanes(IdHash id, Entry.PendingDecision decision) {
    RewardAggregate rewardAggregate = decision.collected();
    int context = decision.context().length * Integer.BYTES;
    int aggregate =
        rewardAggregate == null
            ? 0
            : COLLECTED_BYTES + rewardAggregate.mediators().length * Integer.BYTES;
    int inputs = decision.inputs().length * Double.BYTES;
    ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + context + inputs + aggregate);
    bytes.putLong(id.high()).putLong(id.low());
    bytes.putLong(decision.decisionSeq()).putLong(decision.contextTime());
    bytes.putLong(Double.doubleToLongBits(decision.propensity()));
    bytes.putInt(decision.arm()).putInt(decision.levelVersion());
    putAll(bytes, decision.context());
    for (double input : decision.inputs()) {
      bytes.putLong(Double.doubleToLongBits(input));
    }
    if (rewardAggregate != null) {
      bytes.putInt(rewardAggregate.count());
      bytes.putLong(Double.doubleToLongBits(rewardAggregate.sum()));
      bytes.putLong(Double.doubleToLongBits(rewardAggregate.min()));
      bytes.putLong(Double.doubleToLongBits(rewardAggregate.max()));
      bytes.putLong(rewardAggregate.lastTime());
      bytes.putLong(Double.doubleToLongBits(rewardAggregate.last()));
      putAll(bytes, rewardAggregate.mediators());
    }
    return ByteBuffer.wrap(Sha256.of(bytes.array()));
  }

  private static void putAll(ByteBuffer bytes, int[] values) {
    for (int value : values) {
      bytes.putInt(value);
    }
  }
}
