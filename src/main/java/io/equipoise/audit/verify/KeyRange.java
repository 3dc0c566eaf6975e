package io.equipoise.audit.verify;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of all segments, by a hash of their records' key: what one pass over the log looks at.
 *
 * @param index from 0
 * @param count how many parts there are
 */
record KeyRange(int index, int count) {
  private static final int GOLDEN = 0x9E3779B9;

  /** Says whether the records of a key fall to this part. */
  boolean has(byte @Nullable [] key) {
    int hash = Arrays.hashCode(key) * GOLDEN;
    return Math.floorMod(hash ^ (hash >>> 16), count) == index;
  }
}
