package io.equipoise.event;

/**
 * The beginning of an attempt on a partition of the decisions, where delivery is at-least-once. The
 * components are documented in {@code avro/AttemptMarker.avsc}.
 */
public record AttemptMarker(int attempt, int firstKeyGroup, int lastKeyGroup) {

  /** Says whether a record's bytes are a marker and no decision. */
  public static boolean isIn(byte[] value) {
    return Wire.ATTEMPT.beginsAt(value, 0);
  }

  /** Says whether two attempts share a key group. */
  public boolean overlaps(AttemptMarker other) {
    return firstKeyGroup <= other.lastKeyGroup && other.firstKeyGroup <= lastKeyGroup;
  }
}
