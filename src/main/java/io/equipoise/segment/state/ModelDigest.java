package io.equipoise.segment.state;

import io.equipoise.event.Sha256;
import io.equipoise.policy.StateBlock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;

/**
 * Digests what a segment has learned: its seq, epoch and rounds, its arms with their decisions, the
 * audit sums, the causal bounds if any with those refuted, and every block of the model by
 * ascending key; the first 16 bytes of a SHA-256. Equal digests mean equal learning states, bit for
 * bit.
 */
public final class ModelDigest {
  private static final int DIGEST_BYTES = 16;

  private ModelDigest() {}

  public static String of(SegmentState state, SegmentHeader head) {
    MessageDigest digest = Sha256.begin();
    ByteBuffer numbers = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES);
    digest.update(numbers.putLong(head.seq).putLong(head.rounds).putInt(head.levelVersion).array());
    digest.update(String.valueOf(head.fingerprint).getBytes(StandardCharsets.UTF_8));
    for (int arm = 0; arm < head.arms.size(); arm++) {
      byte[] id = head.arms.get(arm).getBytes(StandardCharsets.UTF_8);
      ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + id.length + Long.BYTES);
      digest.update(bytes.putInt(id.length).put(id).putLong(head.armDecisions.get(arm)).array());
    }
    digest.update(head.audit.toBytes());
    if (head.boundsHash != null) {
      digest.update(head.boundsHash.getBytes(StandardCharsets.UTF_8));
      digest.update(head.refutedBounds.toByteArray());
    }
    for (Map.Entry<Long, StateBlock> block : state.blocks().entries()) {
      if (block.getKey() == RetiredDefinitions.KEY) {
        continue; // follows from specs
      }
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, block.getKey()));
      digest.update(block.getValue().toBytes());
    }
    return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
  }

  public static String pending(SegmentHeader head) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(head.pendingHigh) + hex.toHexDigits(head.pendingLow);
  }
}
