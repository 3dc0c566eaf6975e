package io.equipoise.audit.verify;

import io.equipoise.audit.log.OffsetRange;

/**
 * Stores the dispositions of the input records of one partition between two offsets. Takes {@value
 * #BYTES} bytes per offset.
 */
final class DispositionTable {
  /** Memory per offset, in bytes. */
  static final int BYTES = 2 * Long.BYTES + Short.BYTES;

  /** The offset has a record. */
  static final int PRESENT = 1;

  /** The record can be decoded. */
  static final int DECODABLE = 1 << 1;

  /** The record has an error that rejects it under every spec. */
  static final int FAULTY = 1 << 2;

  /** Its decision has reason REJECTED. */
  static final int REJECTED = 1 << 3;

  /** Its dead letter has a code of contexts without decision. */
  static final int UNANSWERED = 1 << 4;

  /** Retention may have removed its dead letter. */
  static final int OLDER_THAN_DEAD_LETTERS = 1 << 10;

  /** Retention may have removed its outputs. */
  static final int OLD = 1 << 9;

  /** The context has a deadline. */
  static final int DEADLINE = 1 << 11;

  /** It has a decision without seq. */
  static final int UNNUMBERED = 1 << 12;

  /** It has a REPEATED decision. */
  static final int REPEATED = 1 << 13;

  /** Its dead letter has a code of repeated contexts. */
  static final int REPEATED_BY_DEAD_LETTER = 1 << 14;

  private static final int TAKEN_SHIFT = 5;
  private static final int DEAD_LETTERS_SHIFT = 7;
  private static final int MOST = 3;

  private final OffsetRange offsetRange;
  private final long[] identities;
  private final long[] payloads;
  private final short[] states;

  /** Makes an empty table for at most 2^30 offsets. */
  DispositionTable(OffsetRange offsetRange) {
    int size = Math.toIntExact(offsetRange.size());
    this.offsetRange = offsetRange;
    this.identities = new long[size];
    this.payloads = new long[size];
    this.states = new short[size];
  }

  OffsetRange slice() {
    return offsetRange;
  }

  boolean covers(long offset) {
    return offset >= offsetRange.begin() && offset < offsetRange.reach();
  }

  /** Marks an offset as having a record. */
  void put(long offset, long identity, long payload, int flags) {
    int at = at(offset);
    identities[at] = identity;
    payloads[at] = payload;
    states[at] |= (short) (PRESENT | flags);
  }

  void flag(long offset, int flags) {
    states[at(offset)] |= (short) flags;
  }

  boolean has(long offset, int flags) {
    return (states[at(offset)] & flags) == flags;
  }

  /** Returns the digest of ids, time and value. */
  long identity(long offset) {
    return identities[at(offset)];
  }

  /** Returns the digest of key and value. */
  long payload(long offset) {
    return payloads[at(offset)];
  }

  /** Counts a decision other than REPEATED, or an applied reward; returns the count, at most 3. */
  int take(long offset) {
    return count(offset, TAKEN_SHIFT);
  }

  /** Counts a dead letter; returns the count, at most 3. */
  int deadLetter(long offset) {
    return count(offset, DEAD_LETTERS_SHIFT);
  }

  int taken(long offset) {
    return states[at(offset)] >> TAKEN_SHIFT & MOST;
  }

  int deadLetters(long offset) {
    return states[at(offset)] >> DEAD_LETTERS_SHIFT & MOST;
  }

  private int count(long offset, int shift) {
    int at = at(offset);
    int count = states[at] >> shift & MOST;
    if (count < MOST) {
      count++;
      states[at] += (short) (1 << shift);
    }
    return count;
  }

  private int at(long offset) {
    return (int) (offset - offsetRange.begin());
  }
}
