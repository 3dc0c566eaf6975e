package io.equipoise.watch;

import io.equipoise.event.WatchRecord;
import io.equipoise.evidence.GroupMonitor;
import org.jspecify.annotations.Nullable;

/** Counts the rows of a registration from its first one on, and looks at them. */
abstract class Watch {
  private static final int ROWS_PER_REPORT = 1000;

  private final WatchRecord registered;
  private final long startOffset;
  private long leftOut;

  Watch(WatchRecord registered, long startOffset) {
    this.registered = registered;
    this.startOffset = startOffset;
  }

  final WatchRecord registered() {
    return registered;
  }

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

  /**
   * Counts a row unless it is none of this watch; returns evidence where it is due, or the end of
   * the watch.
   *
   * @param reward scaled, or NaN if it is missing
   * @param q predicted rewards of the log's arms, scaled
   * @param pending decisions that wait
   */
  abstract @Nullable WatchRecord count(WatchedRow row, double reward, double[] q, int pending);

  static boolean isLook(long rows) {
    return rows % GroupMonitor.ROWS_PER_LOOK == 0;
  }

  static boolean isReport(long rows) {
    return rows % ROWS_PER_REPORT == 0;
  }
}
