package io.equipoise.audit.verify;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.state.Entry;
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
 * time has passed the decision's memory, or an expiry on the log has. A tombstone that goes for
 * want of room is on the log.
 */
final class AnsweredIds {
  /** What an id takes. */
  static final long BYTES = 200;

  private final long memoryMillis;
  private final long skewMillis;
  private final MemoryBudget memoryBudget;
  private final Map<IdHash, Answer> answered = new HashMap<>();
  private final TreeMap<Long, List<IdHash>> byEnd = new TreeMap<>();

  private record Answer(long seq, long end) {}

  /**
   * Starts with none.
   *
   * @param memoryMillis how long behind its context a decision's identity is known at least
   * @param skewMillis how far event time may be ahead of append time
   */
  AnsweredIds(long memoryMillis, long skewMillis, MemoryBudget memoryBudget) {
    this.memoryMillis = memoryMillis;
    this.skewMillis = skewMillis;
    this.memoryBudget = memoryBudget;
  }

  /**
   * Takes note of a decision; returns the seq of the one that answered the same id, or null.
   *
   * @param context what it answers, or null where that is not there
   * @param appended when it was appended, ms
   */
  @Nullable Long on(Decision decision, @Nullable ContextEvent context, long appended) {
    passTo(appended + skewMillis);
    IdHash id = IdHash.of(decision.decisionId());
    Answer before = answered.get(id);
    Long from = rememberedFrom(decision, context);
    if (before == null && from != null) {
      remember(id, new Answer(decision.seq(), from + memoryMillis));
    }
    return before == null ? null : (Long) before.seq;
  }

  /** Refused contexts are remembered by their append time where that is earlier. */
  private static @Nullable Long rememberedFrom(Decision decision, @Nullable ContextEvent context) {
    if (decision.isChosen()) {
      return decision.eventTime();
    }
    return context == null || decision.specHash() == null // then by a horizon of no spec
        ? null
        : (Long) Math.min(decision.eventTime(), context.origin().appendTime());
  }

  private void remember(IdHash id, Answer answer) {
    memoryBudget.reserve(BYTES);
    answered.put(id, answer);
    byEnd.computeIfAbsent(answer.end, end -> new ArrayList<>(1)).add(id);
  }

  /** Takes note of a decision that a savepoint remembers. */
  void on(IdHash id, Entry.PendingDecision decision) {
    remember(id, new Answer(decision.decisionSeq(), decision.contextTime() + memoryMillis));
  }

  /** Takes note of what tells event time, or that an id was forgotten for want of room. */
  void on(SegmentEvent segmentEvent) {
    switch (segmentEvent.type()) {
      case DEDUP_ENTRY_EVICTED ->
          answered.remove(IdHash.ofHex(String.valueOf(segmentEvent.hashOfDecision())));
      case REWARD_TIMEOUT, WINDOW_CLOSED, SEGMENT_PASSIVATED -> passTo(segmentEvent.eventTime());
      default -> {} // a decision that is evicted leaves a dedup entry
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
      Map.Entry<Long, List<IdHash>> ended = byEnd.pollFirstEntry();
      for (IdHash id : ended.getValue()) {
        Answer answer = answered.get(id);
        if (answer != null && answer.end == ended.getKey()) { // else it was evicted in between
          answered.remove(id);
        }
        memoryBudget.release(BYTES);
      }
    }
  }
}
