package io.equipoise.audit.verify;

import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.join.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ids that one segment has answered and must still remember, so that no context sent twice is
 * answered twice (I1); {@value #BYTES} bytes for each.
 *
 * <p>The log does not say when a tombstone is forgotten. But event time is never further than the
 * allowed skew ahead of the time at which a decision is appended, so an id is held here until that
 * time has passed the decision's memory, or an expiry on the log has.
 */
final class AnsweredIds {
  /** What an id takes. */
  static final long BYTES = 200;

  private final long memoryMillis;
  private final long skewMillis;
  private final Budget budget;
  private final Map<IdHash, Long> answered = new HashMap<>();
  private final TreeMap<Long, List<IdHash>> byEnd = new TreeMap<>();
  private boolean isForgetful;

  /**
   * Starts with none.
   *
   * @param memoryMillis how long behind its context a decision's identity is known at least
   * @param skewMillis how far event time may be ahead of append time
   */
  AnsweredIds(long memoryMillis, long skewMillis, Budget budget) {
    this.memoryMillis = memoryMillis;
    this.skewMillis = skewMillis;
    this.budget = budget;
  }

  /**
   * Takes note of a decision; returns the seq of the one that answered the same id, or null.
   *
   * @param appended when it was appended, ms
   */
  @Nullable Long on(Decision decision, long appended) {
    passTo(appended + skewMillis);
    if (!decision.isChosen() || isForgetful) {
      return null; // refused contexts are remembered by their append time, which is not on the log
    }
    IdHash id = IdHash.of(decision.decisionId());
    Long before = answered.putIfAbsent(id, decision.seq());
    if (before == null) {
      budget.take(BYTES);
      byEnd.computeIfAbsent(decision.eventTime() + memoryMillis, end -> new ArrayList<>(1)).add(id);
    }
    return before;
  }

  /** Takes note of a decision that a savepoint remembers. */
  void on(IdHash id, Entry.Awaiting decision) {
    budget.take(BYTES);
    answered.put(id, decision.decisionSeq());
    byEnd.computeIfAbsent(decision.contextTime() + memoryMillis, end -> new ArrayList<>(1)).add(id);
  }

  /** Takes note of what tells event time, or that ids were forgotten for want of room. */
  void on(Outcome outcome) {
    if (outcome.kind() == OutcomeKind.EVICTED && outcome.decisionHash() != null) {
      isForgetful = true;
      passTo(Long.MAX_VALUE);
    } else if (outcome.kind() == OutcomeKind.EXPIRED
        || outcome.kind() == OutcomeKind.WINDOW_CLOSED
        || outcome.kind() == OutcomeKind.EVICTED) { // of an idle segment
      passTo(outcome.eventTime());
    }
  }

  /** Takes note of what tells event time. */
  void on(SegmentMetrics snapshot) {
    if (snapshot.trigger() == MetricsTrigger.EVENT_TIME) {
      passTo(snapshot.eventTime());
    }
  }

  private void passTo(long time) {
    while (!byEnd.isEmpty() && byEnd.firstKey() <= time) {
      for (IdHash id : byEnd.pollFirstEntry().getValue()) {
        answered.remove(id);
        budget.give(BYTES);
      }
    }
  }
}
