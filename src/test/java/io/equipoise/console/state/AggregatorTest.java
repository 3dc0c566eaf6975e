package io.equipoise.console.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.console.Logs;
import io.equipoise.console.Rewritten;
import io.equipoise.console.document.DecisionRecords;
import io.equipoise.console.state.SegmentHistory.Count;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.IdHash;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.tools.evaluate.LoggedRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class AggregatorTest {
  private static final TimeAxis AXIS = TimeAxis.of(Duration.ofHours(1));
  private static final int DECISIONS = 1_500;
  private static final long END = LoggedRun.START + DECISIONS * 1_000L;
  private static final LoggedRun RUN = Logs.run("offers", DECISIONS);

  private static Aggregator filled(Limits limits) {
    Aggregator aggregator = new Aggregator(AXIS, limits);
    Logs.outputs(RUN.log, at -> Logs.pass(aggregator, at, END));
    return aggregator;
  }

  private static <T> List<T> all(LogTopic topic, Function<byte[], T> decode) {
    List<T> all = new ArrayList<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      RUN.log.records(topic, partition).forEach(at -> all.add(decode.apply(at.value())));
    }
    return all;
  }

  private static SegmentHistory segment(Aggregator aggregator) {
    SegmentHistory segment = aggregator.segment("offers");
    assertNotNull(segment);
    return segment;
  }

  @Test
  void itsNumbersAreThoseOfTheTopics() {
    SegmentHistory segment = segment(filled(Limits.DEFAULT));
    long last = AXIS.bucketOf(END);
    long first = last - TimeAxis.BUCKETS + 1;
    List<Decision> decisions = all(LogTopic.DECISIONS, Wire.DECISION::decode);
    assertEquals(DECISIONS, segment.count(Count.DECISIONS, first, last));
    assertEquals(
        decisions.stream().filter(Decision::certified).count(),
        segment.count(Count.CERTIFIED, first, last));
    Map<String, Long> byArm = new HashMap<>();
    decisions.forEach(it -> byArm.merge(String.valueOf(it.arm()), 1L, Long::sum));
    byArm.forEach((arm, count) -> assertEquals(count, segment.arms().get(arm).total(last), arm));

    SampleMoments rewards = SampleMoments.NONE;
    for (SegmentEvent event : all(LogTopic.SEGMENT_EVENTS, Wire.SEGMENT_EVENT::decode)) {
      if (event.learned() && event.learnedReward() != null) {
        rewards = rewards.plus(event.learnedReward());
      }
    }
    assertTrue(rewards.count() > DECISIONS / 2, rewards::toString);
    assertEquals(rewards.count(), segment.allRewards(last).count());
    assertEquals(rewards.sum(), segment.allRewards(last).sum(), 1e-9);

    Set<String> violating = new HashSet<>();
    Map<AuditVerdict, Long> verdicts = new HashMap<>();
    for (FairnessAudit audit : all(LogTopic.AUDIT, Wire.AUDIT::decode)) {
      verdicts.merge(audit.verdict(), 1L, Long::sum);
      Double estimate = audit.effect().estimate();
      if (estimate != null && Math.abs(estimate) > audit.threshold()) {
        violating.add(audit.decisionId());
      }
    }
    assertTrue(violating.size() > 10, violating::toString);
    assertEquals(violating.size(), segment.count(Count.VIOLATIONS, first, last));
    assertEquals(verdicts.getOrDefault(AuditVerdict.UNFAIR, 0L), 0);
    assertEquals(0, segment.count(Count.UNFAIR, first, last));
    for (AuditVerdict verdict : AuditVerdict.values()) {
      assertEquals(
          verdicts.getOrDefault(verdict, 0L),
          segment.pairs().stream().mapToLong(pair -> pair.count(verdict, last)).sum(),
          verdict.name());
    }
    List<SegmentMetrics> snapshots = all(LogTopic.METRICS, Wire.METRICS::decode);
    SegmentHistory.Snapshot snapshot = segment.snapshot();
    assertNotNull(snapshot);
    assertEquals(snapshots.get(snapshots.size() - 1), snapshot.metrics());
  }

  /** A refused context gets an answer with an arm, which no policy chose. */
  @Test
  void aRefusedContextIsNoDecision() {
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    List<Decision> chosen = new ArrayList<>();
    Logs.outputs(
        RUN.log,
        at -> {
          byte[] value = at.value();
          if (at.slice().topic() == LogTopic.DECISIONS) {
            Decision decision = Wire.DECISION.decode(value);
            if (at.offset() % 5 == 0) {
              value =
                  Wire.DECISION.encode(
                      Rewritten.with(Decision.class, decision, "reason", DecisionReason.REJECTED));
            } else {
              chosen.add(decision);
            }
          }
          Logs.pass(aggregator, Logs.withValue(at, value), END);
        });
    long last = AXIS.bucketOf(END);
    long first = last - TimeAxis.BUCKETS + 1;
    SegmentHistory segment = segment(aggregator);
    assertEquals(DECISIONS * 4 / 5, chosen.size());
    assertEquals(chosen.size(), segment.count(Count.DECISIONS, first, last));
    assertEquals(chosen.size(), aggregator.count(LogTopic.DECISIONS, first, last));
    assertEquals(
        chosen.stream().filter(Decision::certified).count(),
        segment.count(Count.CERTIFIED, first, last));
    assertEquals(
        chosen.size(), segment.arms().values().stream().mapToLong(it -> it.total(last)).sum());
    assertEquals(DECISIONS / 5, segment.reasons(first, last).get(DecisionReason.REJECTED));
  }

  /** Several comparisons of a decision may be beyond the limit. */
  @Test
  void anUnfairDecisionCountsOnce() {
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    Set<String> unfair = new HashSet<>();
    Logs.outputs(
        RUN.log,
        at -> {
          if (at.slice().topic() == LogTopic.AUDIT) {
            FairnessAudit audit = Wire.AUDIT.decode(at.value());
            if (audit.decisionId().hashCode() % 3 == 0) {
              unfair.add(audit.decisionId());
              audit = Rewritten.with(FairnessAudit.class, audit, "verdict", AuditVerdict.UNFAIR);
            }
            byte[] value = Wire.AUDIT.encode(audit);
            LogRecord written =
                new LogRecord(
                    at.slice(), at.offset(), at.timestamp(), at.key(), value, at.headers());
            Logs.pass(aggregator, written, END);
            Logs.pass(aggregator, written, END); // another comparison of the decision
          }
        });
    long last = AXIS.bucketOf(END);
    assertTrue(unfair.size() > 10, unfair::toString);
    assertEquals(
        unfair.size(), segment(aggregator).count(Count.UNFAIR, last - TimeAxis.BUCKETS + 1, last));
  }

  /** A redacted audit has no estimate, and its verdict stays. */
  @Test
  void hiddenEffectsCountByTheirVerdict() {
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    Logs.outputs(RUN.log, at -> Logs.pass(aggregator, Logs.redacted(at), END));
    long last = AXIS.bucketOf(END);
    long beyond =
        all(LogTopic.AUDIT, Wire.AUDIT::decode).stream()
            .filter(
                it -> it.verdict() == AuditVerdict.UNFAIR || it.verdict() == AuditVerdict.UNCERTAIN)
            .map(FairnessAudit::decisionId)
            .distinct()
            .count();
    assertTrue(beyond > 10, () -> beyond + " decisions");
    assertEquals(
        beyond, segment(aggregator).count(Count.VIOLATIONS, last - TimeAxis.BUCKETS + 1, last));
  }

  /** The lifetime of the last snapshot is the window, so both count the same violations. */
  @Test
  void itCountsViolationsLikeTheJob() {
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    SegmentMetrics last =
        all(LogTopic.METRICS, Wire.METRICS::decode).stream()
            .reduce((one, next) -> next)
            .orElseThrow();
    Logs.outputs(
        RUN.log,
        at -> {
          if (at.slice().topic() != LogTopic.AUDIT
              || Wire.AUDIT.decode(at.value()).seq() <= last.seq()) {
            Logs.pass(aggregator, at, END);
          }
        });
    long bucket = AXIS.bucketOf(END);
    assertTrue(last.fairness().violations() > 10, last::toString);
    assertEquals(
        last.fairness().violations(),
        segment(aggregator).count(Count.VIOLATIONS, bucket - TimeAxis.BUCKETS + 1, bucket));
  }

  @Test
  void aDecisionIsFoundWithItsRecords() {
    Aggregator aggregator = filled(Limits.DEFAULT);
    String id = "offers-" + (DECISIONS - 10);
    assertEquals(List.of("offers"), aggregator.recent().segmentsOf(id));
    List<StoredRecord> records = aggregator.recent().find("offers", id);
    assertEquals(
        Set.of(LogTopic.DECISIONS, LogTopic.AUDIT, LogTopic.SEGMENT_EVENTS),
        new HashSet<>(records.stream().map(StoredRecord::topic).toList()));
    assertEquals(List.of(), aggregator.recent().find("another", id));
  }

  /** The job knows the decision of a window that ends without a reward by its hash only. */
  @Test
  void anEventThatHasTheHashOfADecisionBelongsToIt() {
    LoggedRun run = Logs.run("offers", 50);
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    LogRecord decided = run.log.records(LogTopic.DECISIONS, MemoryLog.partitionOf("offers")).get(0);
    Decision decision = Wire.DECISION.decode(decided.value());
    Logs.pass(aggregator, decided, END);
    LogRecord last =
        run.log.records(LogTopic.SEGMENT_EVENTS, MemoryLog.partitionOf("offers")).get(0);
    SegmentEvent event = Wire.SEGMENT_EVENT.decode(last.value());
    JoinedDecision silent =
        new JoinedDecision(
            null,
            IdHash.of(decision.decisionId()).hex(),
            decision.seq(),
            decision.arm(),
            null,
            null,
            null,
            Map.of(),
            0.0,
            null);
    SegmentEvent closed =
        Rewritten.with(
            SegmentEvent.class, event, "type", SegmentEventType.REWARD_TIMEOUT, "decision", silent);
    Logs.pass(aggregator, Logs.withValue(last, Wire.SEGMENT_EVENT.encode(closed)), END);
    DecisionRecords found =
        DecisionRecords.of(aggregator.recent().find("offers", decision.decisionId())).get(0);
    assertEquals("TIMED_OUT", found.status());
    assertEquals(0.0, found.reward());
  }

  /** Segment events name a decision by the seq of its last repetition. */
  @Test
  void aDecisionThatAFailureRepeatsCountsOnceAndHasTheRewardOfItsRepetition() {
    LogRecord decided = decisions().get(0);
    Decision decision = Wire.DECISION.decode(decided.value());
    Decision again =
        Rewritten.with(Decision.class, decision, "seq", 5_000L, "writerEpoch", 2, "keyGroup", 0);
    LogRecord rewarded =
        RUN.log.records(LogTopic.SEGMENT_EVENTS, MemoryLog.partitionOf("offers")).stream()
            .filter(at -> Wire.SEGMENT_EVENT.decode(at.value()).learned())
            .findFirst()
            .orElseThrow();
    SegmentEvent event =
        Rewritten.with(
            SegmentEvent.class,
            Wire.SEGMENT_EVENT.decode(rewarded.value()),
            "decision.id",
            decision.decisionId(),
            "decision.seq",
            again.seq());
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    Logs.pass(aggregator, decided, END);
    Logs.pass(aggregator, Logs.withValue(decided, Wire.DECISION.encode(again)), END);
    Logs.pass(aggregator, Logs.withValue(rewarded, Wire.SEGMENT_EVENT.encode(event)), END);
    long last = AXIS.bucketOf(END);
    assertEquals(1, segment(aggregator).count(Count.DECISIONS, last - TimeAxis.BUCKETS + 1, last));
    List<DecisionRecords> found =
        DecisionRecords.of(aggregator.recent().find("offers", decision.decisionId()));
    assertEquals(List.of(decision), found.stream().map(DecisionRecords::decision).toList());
    assertEquals("SETTLED", found.get(0).status());
  }

  /** A confirmation of what was shown is a record on the topic of rewards, too. */
  @Test
  void aConfirmationIsNoReward() {
    LogRecord last =
        RUN.log.records(LogTopic.SEGMENT_EVENTS, MemoryLog.partitionOf("offers")).stream()
            .filter(at -> Wire.SEGMENT_EVENT.decode(at.value()).observedReward() != null)
            .findFirst()
            .orElseThrow();
    SegmentEvent rewarded = Wire.SEGMENT_EVENT.decode(last.value());
    JoinedReward given = rewarded.reward();
    assertNotNull(given);
    SegmentEvent confirmed =
        Rewritten.with(
            SegmentEvent.class,
            rewarded,
            "type",
            SegmentEventType.REWARD_BUFFERED,
            "reward",
            new JoinedReward(null, null, rewarded.arm(), given.source()));
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    Logs.pass(aggregator, Logs.withValue(last, Wire.SEGMENT_EVENT.encode(confirmed)), END);
    assertEquals(0, aggregator.rewards(AXIS.bucketOf(END) - 1_000, AXIS.bucketOf(END)));
    Logs.pass(aggregator, last, END);
    assertEquals(1, aggregator.rewards(AXIS.bucketOf(END) - 1_000, AXIS.bucketOf(END)));
  }

  @Test
  void aDeadLetterBeforeTheFirstDecisionCountsForTheSegment() {
    LoggedRun run = Logs.run("offers", 1);
    LogRecord decided = run.log.records(LogTopic.DECISIONS, 1).get(0);
    DeadLetter rejected =
        Rewritten.with(
            DeadLetter.class,
            DeadLetter.undecodable(
                ErrorCode.UNKNOWN_LEVEL, "gender", new Origin("contexts", 0, 7, 0L), null, null),
            "segment",
            "offers");
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    aggregator.on(
        LogTopic.DEAD_LETTER,
        new ConsumerRecord<>(
            "dead-letter",
            0,
            0,
            END,
            TimestampType.CREATE_TIME,
            0,
            0,
            new byte[0],
            Wire.DEAD_LETTER.encode(rejected),
            new RecordHeaders(),
            Optional.empty()),
        END);
    assertNull(aggregator.segment("offers"));
    Logs.pass(aggregator, decided, END);
    SegmentHistory segment = aggregator.segment("offers");
    assertNotNull(segment);
    long last = AXIS.bucketOf(END);
    assertEquals(1, segment.count(Count.DEAD_LETTERS, last, last));
  }

  @Test
  void aNameThatWasRefusedIsNoSegment() {
    LogRecord decided = decisions().get(0);
    Decision refused =
        Rewritten.with(
            Decision.class,
            Wire.DECISION.decode(renamed(decided, "one-too-many")),
            "errorCode",
            ErrorCode.TOO_MANY_SEGMENTS.name());
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    Logs.pass(
        aggregator,
        new LogRecord(
            decided.slice(), decided.offset(), END, decided.key(), Wire.DECISION.encode(refused)),
        END);
    assertNull(aggregator.segment("one-too-many"));
  }

  @Test
  void theDecisionsOfASegmentWithALongNameAreFoundByItsCutName() {
    LoggedRun run = Logs.run("s".repeat(1_000), 30);
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    Logs.outputs(run.log, at -> Logs.pass(aggregator, at, END));
    SegmentHistory segment = aggregator.segment("s".repeat(1_000));
    assertNotNull(segment);
    String id = segment.recent().get(0).id();
    assertTrue(!aggregator.recent().find(segment.name(), id).isEmpty(), id);
  }

  @Test
  void itForgetsTheFirstDecisionsWhenTheirBytesExceedTheLimit() {
    Limits few = new Limits(10, 24, 24, 100, 100, 100_000);
    Aggregator aggregator = filled(few);
    assertTrue(aggregator.recent().size() > 50, () -> "" + aggregator.recent().size());
    assertTrue(aggregator.recent().size() < 250, () -> "" + aggregator.recent().size());
    assertEquals(List.of(), aggregator.recent().segmentsOf("offers-0"));
    assertTrue(aggregator.recent().segmentsOf("offers-1").isEmpty());
  }

  @Test
  void armsPairsAndEffectsBeyondTheirLimitsAreSummedOrCounted() {
    SegmentHistory segment = segment(filled(new Limits(10, 1, 1, 10, 1, 1_000_000)));
    long last = AXIS.bucketOf(END);
    assertEquals(1, segment.arms().size());
    long shown = segment.arms().values().iterator().next().total(last);
    assertEquals(DECISIONS, shown + segment.otherArms().total(last));
    assertEquals(1, segment.pairs().size());
    assertTrue(segment.auditsLeftOut() > 0);
    PairHistory pair = segment.pairs().iterator().next();
    assertEquals(1, pair.effects().size());
    assertTrue(pair.effectsLeftOut() > 0);
  }

  @Test
  void aSegmentBeyondTheLimitTakesThePlaceOfOneThatTheWindowNoLongerContains() {
    Limits one = new Limits(1, 24, 24, 100, 100, 1_000_000);
    Aggregator aggregator = filled(one);
    LogRecord decision = decisions().get(0);
    byte[] other = renamed(decision, "other");
    Logs.pass(aggregator, moved(decision, END, other), END);
    assertNull(aggregator.segment("other"));
    assertEquals(1, aggregator.recordsLeftOut());
    long later = END + AXIS.historyMillis() + 60_000;
    Logs.pass(aggregator, moved(decision, later, renamed(decision, "third")), later);
    assertNull(aggregator.segment("offers"));
    assertNotNull(aggregator.segment("third"));
  }

  @Test
  void whatCannotBeDecodedIsCounted() {
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    LogRecord decision = decisions().get(0);
    Logs.pass(aggregator, moved(decision, END, new byte[] {1, 2, 3}), END);
    Logs.pass(aggregator, moved(decision, END, decision.value()), END);
    assertEquals(1, aggregator.unreadable());
    assertEquals(1, aggregator.segments().size());
  }

  @Test
  void aWrongClockOfAWriterDoesNotMoveTheWindow() {
    Aggregator aggregator = filled(Limits.DEFAULT);
    LogRecord decision = decisions().get(0);
    Logs.pass(aggregator, moved(decision, END * 2, renamed(decision, "offers")), END);
    long last = AXIS.bucketOf(END);
    assertEquals(
        DECISIONS + 1,
        segment(aggregator).count(Count.DECISIONS, last - TimeAxis.BUCKETS + 1, last));
  }

  @Test
  void whatALaterWriterEpochRepeatsCountsOnce() {
    Aggregator aggregator = new Aggregator(AXIS, Limits.DEFAULT);
    List<SegmentEvent> events = new ArrayList<>();
    for (int epoch : new int[] {1, 2}) {
      for (LogRecord at : RUN.log.records(LogTopic.SEGMENT_EVENTS, 1)) {
        SegmentEvent event = Wire.SEGMENT_EVENT.decode(at.value());
        boolean isRepeated = epoch == 2 && event.seq() > 200 && event.seq() < 800;
        if ((epoch == 1 && event.seq() < 500) || isRepeated) {
          SegmentEvent written = epoch(event, epoch);
          events.add(written);
          Logs.pass(aggregator, moved(at, END, Wire.SEGMENT_EVENT.encode(written)), END);
        }
      }
    }
    long expected =
        all(LogTopic.SEGMENT_EVENTS, Wire.SEGMENT_EVENT::decode).stream()
            .filter(it -> it.seq() < 800 && it.learned())
            .count();
    assertTrue(events.stream().filter(SegmentEvent::learned).count() > expected);
    assertEquals(expected, segment(aggregator).allRewards(AXIS.bucketOf(END)).count());
  }

  private static List<LogRecord> decisions() {
    return RUN.log.records(LogTopic.DECISIONS, 1);
  }

  private static LogRecord moved(LogRecord at, long time, byte[] value) {
    return new LogRecord(at.slice(), at.offset(), time, at.key(), value);
  }

  private static byte[] renamed(LogRecord at, String segment) {
    Decision decision = Wire.DECISION.decode(at.value());
    return Wire.DECISION.encode(
        Rewritten.with(
            Decision.class, decision, "segment", segment, "decisionId", "of-" + segment));
  }

  private static SegmentEvent epoch(SegmentEvent event, int epoch) {
    return Rewritten.with(SegmentEvent.class, event, "writerEpoch", epoch);
  }
}
