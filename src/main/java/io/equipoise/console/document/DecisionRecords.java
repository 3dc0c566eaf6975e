package io.equipoise.console.document;

import io.equipoise.console.state.StoredRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the records of one decision.
 *
 * @param decision null if only other records are known
 * @param time when the decision was written, epoch ms; 0 without a decision
 */
public record DecisionRecords(
    @Nullable Decision decision,
    long time,
    List<FairnessAudit> audits,
    List<Timed<SegmentEvent>> events,
    List<Timed<DeadLetter>> deadLetters) {

  /** Dates a record by when it was written, epoch ms. */
  public record Timed<T>(T record, long time) {}

  /** Decodes records that the aggregator or a scan found. Repetitions count once. */
  public static DecisionRecords of(List<StoredRecord> records) {
    Decision decision = null;
    long time = 0;
    List<FairnessAudit> audits = new ArrayList<>();
    List<Timed<SegmentEvent>> events = new ArrayList<>();
    List<Timed<DeadLetter>> deadLetters = new ArrayList<>();
    for (StoredRecord stored : records) {
      byte[] value = stored.value();
      switch (stored.topic()) {
        case DECISIONS -> {
          if (decision == null) {
            decision = Wire.DECISION.decode(value);
            time = stored.time();
          }
        }
        case AUDIT -> audits.add(Wire.AUDIT.decode(value));
        case SEGMENT_EVENTS ->
            events.add(new Timed<>(Wire.SEGMENT_EVENT.decode(value), stored.time()));
        default -> deadLetters.add(new Timed<>(Wire.DEAD_LETTER.decode(value), stored.time()));
      }
    }
    int epoch = audits.stream().mapToInt(FairnessAudit::writerEpoch).max().orElse(0);
    audits.removeIf(audit -> audit.writerEpoch() < epoch);
    int eventEpoch = events.stream().mapToInt(it -> it.record().writerEpoch()).max().orElse(0);
    events.removeIf(it -> it.record().writerEpoch() < eventEpoch);
    return new DecisionRecords(decision, time, audits, events, deadLetters);
  }

  /** Returns where the decision stands, in one word. */
  public String status() {
    Decision known = decision;
    if (known == null || !known.reason().isLearned()) {
      return "NOT_LEARNED";
    }
    String status = "AWAITING";
    for (Timed<SegmentEvent> event : events) {
      SegmentEventType type = event.record().type();
      status =
          switch (type) {
            case REWARD_APPLIED, WINDOW_CLOSED ->
                event.record().reason() == null ? "SETTLED" : "CLOSED_NOT_LEARNABLE";
            case REWARD_TIMEOUT -> "TIMED_OUT";
            case DECISION_EVICTED -> "EVICTED";
            default -> status;
          };
    }
    return status;
  }

  /** Returns the latest reward that was learned or seen, null without one. */
  public @Nullable Double reward() {
    Double reward = null;
    for (Timed<SegmentEvent> event : events) {
      Double learned = event.record().learnedReward();
      reward =
          learned != null
              ? learned
              : event.record().observedReward() != null ? event.record().observedReward() : reward;
    }
    return reward;
  }
}
