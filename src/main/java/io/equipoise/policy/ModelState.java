package io.equipoise.policy;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores a model's statistics: blocks by key, the joint index of W's context variables.
 *
 * <p>A block that {@link #get} returned must be {@link #put} back after a change; without that it
 * may or may not be kept.
 */
public interface ModelState {
  /** Returns the block, or null if nothing was ever learned for this key. */
  @Nullable StateBlock get(long key);

  void put(long key, StateBlock stateBlock);

  /** Forgets a block. */
  void remove(long key);

  /** Returns all blocks by ascending key. */
  Iterable<Map.Entry<Long, StateBlock>> entries();

  /** Adds keys and canonical bytes of all blocks to a digest. */
  default void digestInto(MessageDigest digest) {
    for (Map.Entry<Long, StateBlock> entry : entries()) {
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, entry.getKey()));
      digest.update(entry.getValue().toBytes());
    }
  }
}
