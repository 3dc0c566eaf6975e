package io.equipoise.audit.verify;

import io.equipoise.audit.log.OffsetRange;

/**
 * What became of the input records of one partition between two offsets: {@value #BYTES} bytes an
 * offset, whatever the record holds.
 */
final class DispositionTable {
  /** Memory for one offset. */
  static final int BYTES = 2 * Long.BYTES + Short.BYTES;

  /** There is a record. */
  static final int PRESENT = 1;

  /** Its ids can be read. */
  static final int DECODABLE = 1 << 1;

  /** Something in it must be refused by whoever reads it. */
  static final int FAULTY = 1 << 2;

  /** The decision that answers it says REJECTED. */
  static final int REJECTED = 1 << 3;

  /** Its dead letter says that no decision answers it. */
  static final int UNANSWERED = 1 << 4;

  /** It is older than the dead letters that retention has left: that none is there says nothing. */
  static final int OLDER_THAN_LETTERS = 1 << 10;

  /** It is older than the outputs that retention has left, so what is missing says nothing. */
  static final int OLD = 1 << 9;

  /** It names a time after which an answer is useless. */
  static final int DEADLINE = 1 << 11;

  /** A decision that answers it changes no state. */
  static final int UNNUMBERED = 1 << 12;

  /** A REPEATED decision answers it. */
  static final int REPEATED = 1 << 13;

  /** Its dead letter says that its decision id was answered before. */
  static final int REPEATED_BY_LETTER = 1 << 14;

  private static final int TAKEN_SHIFT = 5;
  private static final int LETTERS_SHIFT = 7;
  private static final int MOST = 3;

  private final OffsetRange offsetRange;
  private final long[] identities;
  private final long[] payloads;
  private final short[] states;

  /** Makes an empty table for a slice of at most 2^30 offsets. */
  DispositionTable(OffsetRange offsetRange) {
    int size = Math.toIntExact(offsetRange.size());
    this.offsetRange = offsetRange;
    this.identities = new long[size];
    this.payloads = new long[size];
    this.states = new short[size];
  }

  /** Returns the offsets that the table is of. */
  OffsetRange slice() {
    return offsetRange;
  }

  boolean covers(long offset) {
    return offset >= offsetRange.begin() && offset < offsetRange.reach();
  }

  /** Notes that there is a record. */
  void put(long offset, long identity, long payload, int flags) {
    int at = at(offset);
    identities[at] = identity;
    payloads[at] = payload;
    states[at] |= (short) (PRESENT | flags);
  }

  /** Adds flags to those of a record. */
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

  /** Counts a decision other than REPEATED or a reward applied; returns how many, at most 3. */
  int take(long offset) {
    return count(offset, TAKEN_SHIFT);
  }

  /** Counts a dead letter; returns how many there are, at most 3. */
  int deadLetter(long offset) {
    return count(offset, LETTERS_SHIFT);
  }

  int taken(long offset) {
    return states[at(offset)] >> TAKEN_SHIFT & MOST;
  }

  int deadLetters(long offset) {
    return states[at(offset)] >> LETTERS_SHIFT & MOST;
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
