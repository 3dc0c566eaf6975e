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
 * Keeps the decision ids that one segment has answered and must still remember, so that no repeated
 * context gets a second decision (I1). Takes {@value #BYTES} bytes per id.
 *
 * <p>The log does not record when a dedup entry expires. Event time runs ahead of append time by at
 * most the allowed skew. So an id is kept until append time plus skew, or an expiry on the log, has
 * passed the end of the decision's retention. Dedup entries evicted for lack of room are on the
 * log.
 */
final class AnsweredIds {
  /** Memory per id, in bytes. */
  static final long BYTES = 200;

  private final long memoryMillis;
  private final long skewMillis;
  private final MemoryBudget memoryBudget;
  private final Map<IdHash, AnswerPlace> answered = new HashMap<>();
  private final TreeMap<Long, List<IdHash>> byEnd = new TreeMap<>();

  private record AnswerPlace(long seq, long end) {}

  /**
   * Starts empty.
   *
   * @param memoryMillis minimum time after its context that a decision's id is remembered, ms
   * @param skewMillis how far event time may be ahead of append time, ms
   */
  AnsweredIds(long memoryMillis, long skewMillis, MemoryBudget memoryBudget) {
    this.memoryMillis = memoryMillis;
    this.skewMillis = skewMillis;
    this.memoryBudget = memoryBudget;
  }

  /**
   * Records a decision; returns the seq of the earlier decision with the same id, or null.
   *
   * @param context the context of the decision, or null if it is not available
   * @param appended append time of the decision, ms
   */
  @Nullable Long on(Decision decision, @Nullable ContextEvent context, long appended) {
    passTo(appended + skewMillis);
    IdHash id = IdHash.of(decision.decisionId());
    AnswerPlace before = answered.get(id);
    Long from = rememberedFrom(decision, context);
    if (before == null && from != null) {
      remember(id, new AnswerPlace(decision.seq(), from + memoryMillis));
    }
    return before == null ? null : (Long) before.seq;
  }

  /**
   * A rejected context is remembered from its append time if that is earlier than its event time.
   */
  private static @Nullable Long rememberedFrom(Decision decision, @Nullable ContextEvent context) {
    if (decision.isChosen()) {
      return decision.eventTime();
    }
    return context == null || decision.specHash() == null // without a spec the retention is unknown
        ? null
        : (Long) Math.min(decision.eventTime(), context.origin().appendTime());
  }

  private void remember(IdHash id, AnswerPlace answer) {
    memoryBudget.reserve(BYTES);
    answered.put(id, answer);
    byEnd.computeIfAbsent(answer.end, end -> new ArrayList<>(1)).add(id);
  }

  /** Records a decision that a savepoint contains. */
  void on(IdHash id, Entry.PendingDecision decision) {
    remember(id, new AnswerPlace(decision.decisionSeq(), decision.contextTime() + memoryMillis));
  }

  /** Records an eviction of an id, or the event time of an expiry. */
  void on(SegmentEvent segmentEvent) {
    switch (segmentEvent.type()) {
      case DEDUP_ENTRY_EVICTED ->
          answered.remove(IdHash.ofHex(String.valueOf(segmentEvent.hashOfDecision())));
      case REWARD_TIMEOUT, WINDOW_CLOSED, SEGMENT_PASSIVATED -> passTo(segmentEvent.eventTime());
      default -> {} // DECISION_EVICTED leaves a dedup entry
    }
  }

  /** Records the event time of a snapshot that event time triggered. */
  void on(SegmentMetrics snapshot) {
    if (snapshot.trigger() == MetricsTrigger.EVENT_TIME) {
      passTo(snapshot.eventTime());
    }
  }

  private void passTo(long time) {
    while (!byEnd.isEmpty() && byEnd.firstKey() <= time) {
      Map.Entry<Long, List<IdHash>> ended = byEnd.pollFirstEntry();
      for (IdHash id : ended.getValue()) {
        AnswerPlace answer = answered.get(id);
        if (answer != null && answer.end == ended.getKey()) { // otherwise evicted and added again
          answered.remove(id);
        }
        memoryBudget.release(BYTES);
      }
    }
  }
}
