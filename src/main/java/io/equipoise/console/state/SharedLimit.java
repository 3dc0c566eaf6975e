package io.equipoise.console.state;

/** Counts the rest of a limit that all segments share. */
final class SharedLimit {
  private int left;

  SharedLimit(int limit) {
    left = limit;
  }

  /** Takes one if there is one left. */
  boolean take() {
    if (left <= 0) {
      return false;
    }
    left--;
    return true;
  }

  /** Returns some that are not used any more. */
  void give(int count) {
    left += count;
  }
}
