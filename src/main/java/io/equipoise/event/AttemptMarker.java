package io.equipoise.event;

/**
 * The beginning of an attempt on a partition of the decisions, where delivery is at-least-once. The
 * components are documented in {@code avro/AttemptMarker.avsc}.
 */
public record AttemptMarker(
    int attempt, int firstKeyGroup, int lastKeyGroup, String run, int execution) {

  /** Makes a marker that does not tell where it comes from. */
  public AttemptMarker(int attempt, int firstKeyGroup, int lastKeyGroup) {
    this(attempt, firstKeyGroup, lastKeyGroup, "", 0);
  }

  /** Says whether a record's bytes are a marker and no decision. */
  public static boolean isIn(byte[] value) {
    return Wire.ATTEMPT.beginsAt(value, 0);
  }

  /** Says whether two attempts share a key group. */
  public boolean overlaps(AttemptMarker other) {
    return firstKeyGroup <= other.lastKeyGroup && other.firstKeyGroup <= lastKeyGroup;
  }

  /** Says whether this one takes the place of another in the same run. */
  public boolean replaces(AttemptMarker other) {
    return !run.isEmpty()
        && run.equals(other.run)
        && execution > other.execution
        && overlaps(other);
  }

  /** Returns the same with another number. */
  public AttemptMarker numbered(int number) {
    return new AttemptMarker(number, firstKeyGroup, lastKeyGroup, run, execution);
  }
}
