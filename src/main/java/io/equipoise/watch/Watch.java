package io.equipoise.watch;

import io.equipoise.evidence.GroupMonitor;

/** Holds what a challenger and a group monitor share: an id, a first row, and looks. */
abstract class Watch {
  private static final int ROWS_PER_REPORT = 1000;

  private final String id;
  private final long startOffset;
  private boolean isStarted;
  private long leftOut;

  Watch(String id, long startOffset) {
    this.id = id;
    this.startOffset = startOffset;
  }

  final String id() {
    return id;
  }

  /** Notes a decision; returns whether the watch has started. Offsets of a log in order grow. */
  final boolean start(long offset) {
    isStarted |= counts(offset);
    return isStarted;
  }

  final boolean isStarted() {
    return isStarted;
  }

  /** Returns whether a decision counts. */
  final boolean counts(long offset) {
    return offset >= startOffset;
  }

  final void leaveOut() {
    leftOut++;
  }

  /** Returns how many decisions after the start are no rows. */
  final long leftOut() {
    return leftOut;
  }

  static boolean isLook(long rows) {
    return rows % GroupMonitor.ROWS_PER_LOOK == 0;
  }

  static boolean isReport(long rows) {
    return rows % ROWS_PER_REPORT == 0;
  }
}
