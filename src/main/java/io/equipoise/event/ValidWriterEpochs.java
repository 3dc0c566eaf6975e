package io.equipoise.event;

import java.util.Arrays;

/**
 * Determines which decisions of one partition are valid with at-least-once delivery: those of a key
 * group before the marker of a later writer epoch. Records that a replaced process appends after
 * its successor's marker are void. The result depends only on the records before, so all readers of
 * the partition agree.
 *
 * <p>A writer epoch writes its marker to every partition before its first record. So a reader that
 * starts in the middle of a partition learns the epoch of a key group from its first valid record.
 *
 * <p>Mutable; records must be passed in the order of offsets. Needs 4 bytes per key group.
 */
public final class ValidWriterEpochs {
  /** Above Flink's maximum; no job writes more. */
  private static final int MOST_KEY_GROUPS = 1 << 15;

  private int[] latest = {};

  /** Processes a marker. */
  public void on(WriterEpochMarker marker) {
    if (marker.firstKeyGroup() < 0
        || marker.lastKeyGroup() < marker.firstKeyGroup()
        || marker.lastKeyGroup() >= MOST_KEY_GROUPS) {
      throw new WireException(
          ErrorCode.MALFORMED, "No writer epoch covers the key groups of " + marker);
    }
    for (int group = marker.firstKeyGroup(); group <= marker.lastKeyGroup(); group++) {
      raise(group, marker.writerEpoch());
    }
  }

  /**
   * Processes a decision and returns whether it is valid. Decisions of exactly-once delivery are
   * valid until the first marker.
   */
  public boolean on(Decision decision) {
    int group = decision.keyGroup();
    if (group < 0 || group >= MOST_KEY_GROUPS) {
      return isBeforeAll();
    }
    if (decision.writerEpoch() < latest(group)) {
      return false;
    }
    raise(group, decision.writerEpoch());
    return true;
  }

  /** Returns the latest writer epoch of a key group; 0 before the first. */
  public int latest(int keyGroup) {
    return keyGroup < latest.length ? latest[keyGroup] : 0;
  }

  /** Returns the latest writer epoch of a range of key groups, both ends included. */
  public int latest(int firstKeyGroup, int lastKeyGroup) {
    int greatest = 0;
    for (int group = firstKeyGroup; group <= lastKeyGroup; group++) {
      greatest = Math.max(greatest, latest(group));
    }
    return greatest;
  }

  private boolean isBeforeAll() {
    for (int writerEpoch : latest) {
      if (writerEpoch > 0) {
        return false;
      }
    }
    return true;
  }

  private void raise(int group, int writerEpoch) {
    if (group >= latest.length) {
      latest = Arrays.copyOf(latest, group + 1);
    }
    latest[group] = Math.max(latest[group], writerEpoch);
  }
}
