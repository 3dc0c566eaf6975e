package io.equipoise.join;

import io.equipoise.event.IdHash;
import io.equipoise.spec.Sha256;
import java.nio.ByteBuffer;

/**
 * Keeps the order-free 128-bit sum over the awaiting decisions of a segment: each adds the first 16
 * bytes of a SHA-256 over what is known of it, lane by lane modulo 2^64, so that neither the order
 * of decisions nor that of settling them matters.
 *
 * <p>The propensities of the candidates that were not chosen are left out: every segment event
 * repeats them, and the replay compares them bit for bit.
 */
final class PendingDigest {
  private static final int FIXED_BYTES = 16 + 3 * Long.BYTES + 2 * Integer.BYTES;
  private static final int COLLECTED_BYTES = Integer.BYTES + 5 * Long.BYTES;

  private PendingDigest() {}

  static void add(SegmentHead head, IdHash id, Entry.Awaiting decision) {
    ByteBuffer lanes = lanes(id, decision);
    head.pendingHigh += lanes.getLong(0);
    head.pendingLow += lanes.getLong(Long.BYTES);
  }

  static void remove(SegmentHead head, IdHash id, Entry.Awaiting decision) {
    ByteBuffer lanes = lanes(id, decision);
    head.pendingHigh -= lanes.getLong(0);
    head.pendingLow -= lanes.getLong(Long.BYTES);
  }

  private static ByteBuffer lanes(IdHash id, Entry.Awaiting decision) {
    Collected collected = decision.collected();
    int context = decision.context().length * Integer.BYTES;
    int aggregate =
        collected == null ? 0 : COLLECTED_BYTES + collected.mediators().length * Integer.BYTES;
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
    if (collected != null) {
      bytes.putInt(collected.count());
      bytes.putLong(Double.doubleToLongBits(collected.sum()));
      bytes.putLong(Double.doubleToLongBits(collected.min()));
      bytes.putLong(Double.doubleToLongBits(collected.max()));
      bytes.putLong(collected.lastTime());
      bytes.putLong(Double.doubleToLongBits(collected.last()));
      putAll(bytes, collected.mediators());
    }
    return ByteBuffer.wrap(Sha256.of(bytes.array()));
  }

  private static void putAll(ByteBuffer bytes, int[] values) {
    for (int value : values) {
      bytes.putInt(value);
    }
  }
}
