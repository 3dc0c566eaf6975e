package io.equipoise.tools.evaluate;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.client.SpecArms;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.IdHash;
import io.equipoise.event.LogTopic;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.ValidWriterEpochs;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WriterEpochMarker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads logged decisions from the topics {@code decisions}, {@code segment-events} and {@code
 * contexts} of a deployment. It keeps the decisions of the chosen time in memory.
 *
 * <p>A decision counts if a policy chose among the arms of a spec. Its reward is the learned one.
 * An id that the job has forgotten may be decided again: each of its contexts has a decision.
 * Segment events name the decision by its seq, which a repetition after a failure changes.
 *
 * <p>State: {@link #read} fills the maps in the order of the topics: the decisions choose which
 * events and contexts are kept. The counts are complete when it returns.
 */
final class TopicLog {
  private final CommittedLog log;
  private final Predicate<String> segments;
  private final Instant from;
  private final Instant to;
  private final Map<ContextPlace, Decision> decisions = new LinkedHashMap<>();
  private final Map<DecisionSeq, ContextPlace> bySeq = new HashMap<>();
  private final Map<ContextPlace, SegmentEvent> rewards = new HashMap<>();
  private final Map<ContextPlace, Map<String, Object>> attributes = new HashMap<>();
  private final SpecArms arms = new SpecArms();
  private final Counts counts = new Counts();

  /**
   * @param segments whose decisions count
   * @param from event time of the first context
   * @param to event time, exclusive
   */
  TopicLog(CommittedLog log, Predicate<String> segments, Instant from, Instant to) {
    this.log = log;
    this.segments = segments;
    this.from = from;
    this.to = to;
  }

  private record DecisionSeq(String segment, String hash, long seq) {}

  private record ContextPlace(int partition, long offset) {}

  /** Counts the decisions that are left out, by reason. */
  static final class Counts {
    int withoutContext;
    int ofOwnCandidates;
    int withoutArms;
    int estimated;
    int otherShown;
  }

  Counts counts() {
    return counts;
  }

  /** Returns the decisions with their contexts and rewards. */
  List<LoggedDecision> read() {
    Map<Integer, ValidWriterEpochs> epochs = new HashMap<>();
    each(LogTopic.DECISIONS, (at, value) -> decision(at, value, epochs));
    each(LogTopic.SEGMENT_EVENTS, (at, value) -> segmentEvent(Wire.SEGMENT_EVENT.decode(value)));
    each(LogTopic.CONTEXTS, this::context);
    List<LoggedDecision> rows = new ArrayList<>();
    decisions.forEach((key, decision) -> row(key, decision).ifPresent(rows::add));
    return rows;
  }

  private void each(LogTopic topic, BiConsumer<LogRecord, byte[]> consumer) {
    try (LogReader reader = log.read(log.slices(topic))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        byte[] value = at.value();
        if (value != null || at.isMarker()) {
          consumer.accept(at, value == null ? new byte[0] : value);
        }
      }
    }
  }

  private void decision(LogRecord at, byte[] value, Map<Integer, ValidWriterEpochs> epochs) {
    ValidWriterEpochs valid =
        epochs.computeIfAbsent(at.slice().partition(), any -> new ValidWriterEpochs());
    if (at.isMarker()) {
      valid.on(WriterEpochMarker.of(at.headers()));
      return;
    }
    Decision decision = Wire.DECISION.decode(value);
    Instant time = Instant.ofEpochMilli(decision.eventTime());
    boolean isWanted =
        valid.on(decision)
            && decision.isChosen()
            && decision.reason() != DecisionReason.NOT_SAMPLED
            && segments.test(decision.segment())
            && !time.isBefore(from)
            && time.isBefore(to);
    ContextPlace key = new ContextPlace(decision.source().partition(), decision.source().offset());
    if (!isWanted) {
      return;
    }
    String hash = IdHash.of(decision.decisionId()).hex();
    bySeq.put(new DecisionSeq(decision.segment(), hash, decision.seq()), key);
    if (decisions.containsKey(key)) {
      return;
    }
    if (!decision.candidates().isEmpty()) {
      counts.ofOwnCandidates++;
      return;
    }
    decisions.put(key, decision);
  }

  private void segmentEvent(SegmentEvent event) {
    arms.on(event);
    String hash = event.hashOfDecision();
    Long seq = event.decisionSeq();
    if (hash == null || seq == null || !event.learned() || event.learnedReward() == null) {
      return;
    }
    ContextPlace key = bySeq.get(new DecisionSeq(event.segment(), hash, seq));
    SegmentEvent before = rewards.get(key);
    if (key != null && (before == null || before.writerEpoch() <= event.writerEpoch())) {
      rewards.put(key, event);
    }
  }

  private void context(LogRecord at, byte[] value) {
    ContextPlace key = new ContextPlace(at.slice().partition(), at.offset());
    if (decisions.containsKey(key)) {
      WireContext context = log.writers().decode(Wire.CONTEXT, value);
      attributes.put(key, context.attributes());
    }
  }

  private Optional<LoggedDecision> row(ContextPlace key, Decision decision) {
    Map<String, Object> person = attributes.get(key);
    if (person == null) {
      counts.withoutContext++;
      return Optional.empty();
    }
    Map<String, Double> propensities = arms.propensities(decision).orElse(null);
    if (propensities == null) {
      counts.withoutArms++;
      return Optional.empty();
    }
    counts.estimated += decision.propensities().kind() == PropensityKind.ESTIMATED ? 1 : 0;
    String arm = String.valueOf(decision.arm());
    @Nullable SegmentEvent learned = rewards.get(key);
    if (learned != null && !arm.equals(learned.arm())) {
      counts.otherShown++;
      return Optional.empty();
    }
    return Optional.of(
        new LoggedDecision(
            decision.segment(),
            decision.decisionId(),
            decision.eventTime(),
            person,
            arm,
            propensities,
            true,
            learned == null ? null : learned.learnedReward(),
            learned == null ? decision.eventTime() : learned.eventTime(),
            learned == null ? Map.of() : Map.copyOf(learned.mediators())));
  }
}
