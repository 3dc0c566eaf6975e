package io.equipoise.event;

import java.util.Arrays;

/**
 * Tells which decisions of one partition are valid, where delivery is at-least-once: those before
 * which no later attempt has begun for their key group. What a process appends that was frozen,
 * taken for dead and replaced is void from its successor's marker on, and every reader of the
 * partition agrees about it, because the answer depends on nothing but the records before.
 *
 * <p>An attempt writes its marker to every partition before its first record, so a record of an
 * attempt says of the markers before it what they said themselves: a reader who starts in the
 * middle of a partition learns from the first valid record of a key group what the marker would
 * have told it.
 *
 * <p>Mutable; to be asked in the order of offsets. Costs 4 bytes a key group.
 */
public final class ValidWriterEpochs {
  /** More than Flink allows; what claims more comes from no job. */
  private static final int MOST_KEY_GROUPS = 1 << 15;

  private int[] latest = {};

  /** Takes note of a marker. */
  public void on(WriterEpochMarker marker) {
    if (marker.firstKeyGroup() < 0
        || marker.lastKeyGroup() < marker.firstKeyGroup()
        || marker.lastKeyGroup() >= MOST_KEY_GROUPS) {
      throw new WireException(ErrorCode.MALFORMED, "No attempt covers the key groups of " + marker);
    }
    for (int group = marker.firstKeyGroup(); group <= marker.lastKeyGroup(); group++) {
      raise(group, marker.writerEpoch());
    }
  }

  /**
   * Takes note of a decision and says whether it is valid. One of exactly-once delivery is, until
   * an attempt of the other delivery begins.
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

  /** Returns the latest attempt that a key group has seen; 0 before the first. */
  public int latest(int keyGroup) {
    return keyGroup < latest.length ? latest[keyGroup] : 0;
  }

  /** Returns the latest attempt of all key groups between two, both included. */
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
