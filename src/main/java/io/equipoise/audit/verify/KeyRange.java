package io.equipoise.audit.verify;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Selects the segments of one pass over the log, by a hash of their record key.
 *
 * @param index from 0
 * @param count number of parts
 */
record KeyRange(int index, int count) {
  private static final int GOLDEN = 0x9E3779B9;

  /** Returns whether the records of a key belong to this part. */
  boolean has(byte @Nullable [] key) {
    int hash = Arrays.hashCode(key) * GOLDEN;
    return Math.floorMod(hash ^ (hash >>> 16), count) == index;
  }
}
