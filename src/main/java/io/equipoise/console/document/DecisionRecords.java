package io.equipoise.console.document;

import io.equipoise.console.state.StoredRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Source;
import io.equipoise.event.Wire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the records of one decision.
 *
 * @param decision the first on the context at its source
 * @param time when the decision was written, epoch ms
 */
public record DecisionRecords(
    Decision decision,
    long time,
    List<FairnessAudit> audits,
    List<Timed<SegmentEvent>> events,
    List<Timed<DeadLetter>> deadLetters) {

  /** Dates a record by when it was written, epoch ms. */
  public record Timed<T>(T record, long time) {}

  private DecisionRecords(Decision decision, long time) {
    this(decision, time, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  /**
   * Decodes records of one id that the aggregator or a scan found. Repetitions count once. An id
   * that the job had forgotten has several decisions; what names only the id, as early rewards do,
   * is with each of them.
   *
   * @return the decisions, in the order in which they were written
   */
  public static List<DecisionRecords> of(List<StoredRecord> records) {
    Map<Source, DecisionRecords> all = new LinkedHashMap<>();
    Map<Long, DecisionRecords> bySeq = new HashMap<>();
    for (StoredRecord stored : records) {
      if (stored.topic() == LogTopic.DECISIONS) {
        Decision decision = Wire.DECISION.decode(stored.value());
        bySeq.put(
            decision.seq(),
            all.computeIfAbsent(
                decision.source(), any -> new DecisionRecords(decision, stored.time())));
      }
    }
    for (StoredRecord stored : records) {
      byte[] value = stored.value();
      switch (stored.topic()) {
        case DECISIONS -> {}
        case AUDIT -> {
          FairnessAudit audit = Wire.AUDIT.decode(value);
          only(bySeq.get(audit.seq())).forEach(it -> it.audits.add(audit));
        }
        case SEGMENT_EVENTS -> {
          SegmentEvent event = Wire.SEGMENT_EVENT.decode(value);
          Long seq = event.decisionSeq();
          (seq == null ? all.values() : only(bySeq.get(seq)))
              .forEach(it -> it.events.add(new Timed<>(event, stored.time())));
        }
        default -> {
          DeadLetter deadLetter = Wire.DEAD_LETTER.decode(value);
          DecisionRecords own = all.get(deadLetter.source());
          (own == null ? all.values() : only(own))
              .forEach(it -> it.deadLetters.add(new Timed<>(deadLetter, stored.time())));
        }
      }
    }
    all.values().forEach(DecisionRecords::removeWithdrawn);
    return List.copyOf(all.values());
  }

  private static Collection<DecisionRecords> only(@Nullable DecisionRecords one) {
    return one == null ? List.of() : List.of(one);
  }

  private void removeWithdrawn() {
    int epoch = audits.stream().mapToInt(FairnessAudit::writerEpoch).max().orElse(0);
    audits.removeIf(audit -> audit.writerEpoch() < epoch);
    int eventEpoch = events.stream().mapToInt(it -> it.record().writerEpoch()).max().orElse(0);
    events.removeIf(it -> it.record().writerEpoch() < eventEpoch);
  }

  /** Returns where the decision stands, in one word. */
  public String status() {
    if (!decision.reason().isLearned()) {
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
