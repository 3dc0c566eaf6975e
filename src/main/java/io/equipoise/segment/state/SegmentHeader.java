package io.equipoise.segment.state;

import io.equipoise.fairness.AuditSums;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the part of a segment's state that every event reads: its place in the log, the spec it
 * runs under, the ledgers, the audit sums and the due index. The model's statistics and the
 * decision ids are kept apart, so that no access moves them all.
 *
 * <p>All fields are stored, except the index {@code positions} with {@code read}: both are derived
 * from {@link #arms} and {@link #left}, are not copied, and {@link #find} completes them. The
 * counts and the sum of pending decisions could be derived from the entries, but are stored, since
 * no event reads all entries. Mutable; owned by the thread that read it from a {@link SegmentState}
 * until it is put back.
 */
public final class SegmentHeader {
  /** Stands for an event time before the first input. */
  public static final long NEVER = Long.MIN_VALUE;

  /** Stands for no scheduled check of {@link #lastInput}. */
  public static final long NO_LOOK = Long.MAX_VALUE;

  /** Last seq written; the next record of this segment carries {@code seq + 1}. */
  public long seq;

  /** Hash of the spec adopted, null before the first. */
  public @Nullable String specHash;

  /** Hash of a spec that was rejected because it would change the model's meaning, or null. */
  public @Nullable String refusedHash;

  /** Fingerprint of what the model's statistics mean, null before the first spec. */
  public @Nullable String fingerprint;

  /** Hash of the causal bounds adopted, null if there are none. */
  public @Nullable String boundsHash;

  /** Version of the causal bounds adopted; without meaning if there are none. */
  public long boundsVersion;

  /** Hash of the newest causal bounds that were rejected under the adopted spec, or null. */
  public @Nullable String rejectedBounds;

  /** Rows of the causal bounds adopted that were refuted. */
  public final BitSet refutedBounds = new BitSet();

  /**
   * Counts the meanings that level indices had: grows when the model is reset, or gets more levels.
   */
  public int levelVersion;

  /** Decisions served by the running model: the t of its bonuses. */
  public long rounds;

  /** Number of decisions with an open window. */
  public int pending;

  /** Number of ids whose rewards are held until their context arrives. */
  public int early;

  /** Number of dedup entries: entries that only remember a resolved decision. */
  public int dedupEntries;

  /**
   * Seq at the last metrics snapshot, or at a later passivation that kept nothing; 0 before both.
   */
  public long metricsSeq;

  /** Order-free 128-bit sum over awaiting decisions, two independent 64-bit lanes. */
  public long pendingHigh;

  /** Second lane of {@link #pendingHigh}. */
  public long pendingLow;

  /** Event time of the last context or reward, ms; {@link #NEVER} if it is not known. */
  public long lastInput = NEVER;

  /** When to check whether the segment is idle, ms of event time, or {@link #NO_LOOK}. */
  public long idleLook = NO_LOOK;

  /** Arm ids by position; a position is never reused. */
  public final List<String> arms;

  /** Positions by arm id, of the arms before {@link #read} that did not leave. */
  private final Map<String, Integer> positions = new HashMap<>();

  private int read;

  /** Decisions by position in {@link #arms}. */
  public final List<Long> armDecisions;

  /**
   * Positions of arms that left: their statistics are gone, and their ids may get new positions.
   */
  public final BitSet left = new BitSet();

  /** Number of awaiting decisions by position in {@link #arms}; arms with none are not listed. */
  public final NavigableMap<Integer, Integer> awaiting = new TreeMap<>();

  /** How often each arm was decided lately. */
  public RecentDecisions recent = new RecentDecisions();

  /** Where every record went. */
  public final Ledgers ledgers;

  /** Verdicts, violations and group means. */
  public AuditSums audit;

  /** Number of scheduled ids by end of bucket, ms of event time, one index for each queue. */
  private final EnumMap<DueIndex.Queue, NavigableMap<Long, Integer>> buckets;

  /** Creates the header of a segment before its first event. */
  public SegmentHeader() {
    this(new ArrayList<>(), new ArrayList<>(), new Ledgers(), new AuditSums());
  }

  /** Creates a header from stored parts; the caller sets the plain fields and the buckets. */
  public SegmentHeader(
      List<String> arms, List<Long> armDecisions, Ledgers ledgers, AuditSums audit) {
    this.arms = arms;
    this.armDecisions = armDecisions;
    this.ledgers = ledgers;
    this.audit = audit;
    this.buckets = new EnumMap<>(DueIndex.Queue.class);
    for (DueIndex.Queue queue : DueIndex.Queue.values()) {
      buckets.put(queue, new TreeMap<>());
    }
  }

  /** Returns the position of an arm; an arm without one gets the next position. */
  public int positionOf(String arm) {
    int position = find(arm);
    if (position >= 0) {
      return position;
    }
    arms.add(arm);
    armDecisions.add(0L);
    return arms.size() - 1;
  }

  /** Retires an arm's position permanently; an arm with the same id gets a new one. */
  public void leave(int position) {
    left.set(position);
    positions.remove(arms.get(position));
  }

  /** Adds {@code change} to the number of decisions for an arm that await a reward. */
  void awaits(int position, int change) {
    awaiting.merge(position, change, (one, other) -> one + other == 0 ? null : one + other);
  }

  /** Removes the last arms, from position {@code size} on; nothing may refer to them. */
  public void forgetArmsFrom(int size) {
    while (arms.size() > size) {
      positions.remove(arms.remove(arms.size() - 1));
      armDecisions.remove(arms.size());
    }
    read = Math.min(read, size);
  }

  /** Counts a decision for an arm. */
  public void decided(int position) {
    armDecisions.set(position, armDecisions.get(position) + 1);
    recent.decided(position);
  }

  /** Returns the position of an arm, or -1 if it has none. */
  public int find(String arm) {
    for (; read < arms.size(); read++) {
      if (!left.get(read)) {
        positions.put(arms.get(read), read);
      }
    }
    return positions.getOrDefault(arm, -1);
  }

  /** Returns the index of a queue, ids by end of bucket; changes to it change the header. */
  public NavigableMap<Long, Integer> bucketsOf(DueIndex.Queue queue) {
    return Objects.requireNonNull(buckets.get(queue));
  }

  /** Returns a deep copy. */
  public SegmentHeader copy() {
    SegmentHeader copy =
        new SegmentHeader(
            new ArrayList<>(arms), new ArrayList<>(armDecisions), ledgers.copy(), audit.copy());
    buckets.forEach((queue, index) -> copy.bucketsOf(queue).putAll(index));
    copy.recent = recent.copy();
    copy.seq = seq;
    copy.specHash = specHash;
    copy.refusedHash = refusedHash;
    copy.fingerprint = fingerprint;
    copy.boundsHash = boundsHash;
    copy.boundsVersion = boundsVersion;
    copy.rejectedBounds = rejectedBounds;
    copy.refutedBounds.or(refutedBounds);
    copy.left.or(left);
    copy.awaiting.putAll(awaiting);
    copy.levelVersion = levelVersion;
    copy.rounds = rounds;
    copy.pending = pending;
    copy.early = early;
    copy.dedupEntries = dedupEntries;
    copy.metricsSeq = metricsSeq;
    copy.pendingHigh = pendingHigh;
    copy.pendingLow = pendingLow;
    copy.lastInput = lastInput;
    copy.idleLook = idleLook;
    return copy;
  }
}
