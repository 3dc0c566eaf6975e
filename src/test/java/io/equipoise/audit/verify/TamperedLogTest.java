package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ExperimentSample;
import io.equipoise.event.IdHash;
import io.equipoise.event.LogTopic;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Breaks every invariant on purpose, in a log of several segments, and asks who is named. */
@Tag("slow")
class TamperedLogTest extends TamperedLog {
  @Test
  void aDroppedDecisionLeavesAContextUnansweredAndAGap() {
    Decision dropped = decided(20);
    log.remove(at(dropped));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I1, name(dropped) + " (test.contexts/", "it has no decision");
    assertNames(findings, Invariant.I4, key(dropped.seq()), "seq goes from");
    assertClean(findings, Invariant.I2, Invariant.I3, Invariant.I5, Invariant.I7);
  }

  @Test
  void theLastDecisionDroppedIsMissedByContextAndSnapshot() {
    Decision last = last();
    log.remove(at(last));
    assertNames(check(), Invariant.I1, name(last), "it has no decision");
  }

  @Test
  void aDoubledDecisionAnswersTwice() {
    Decision decision = decided(20);
    log.doubled(at(decision));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I1, name(decision), "has an earlier decision");
    assertNames(findings, Invariant.I4, key(decision.seq()), "an earlier change has this seq");
    assertClean(findings, Invariant.I2, Invariant.I3, Invariant.I5, Invariant.I6, Invariant.I7);
  }

  @Test
  void aDecisionOfAnotherContextIsNamed() {
    Decision decision = decided(20);
    log.replace(
        at(decision),
        Wire.DECISION.encode(Tamper.with(decision, "offset", decision.source().offset() - 1)));
    assertNames(check(), Invariant.I1, name(decision), "does not match the context");
  }

  /** Two contexts of one id, each with a decision of its own: no origin tells. */
  @Test
  void anIdAnsweredTwiceWhileItIsRememberedIsNamed() {
    Decision one = decided(20);
    Decision other =
        decision(d -> d.seq() > one.seq() && d.segment().equals(SEGMENT) && d.features() != null);
    Decision again = Tamper.with(other, "decisionId", one.decisionId());
    log.replace(at(other), Wire.DECISION.encode(again));
    LogRecord context =
        log.first(
            LogTopic.CONTEXTS,
            r ->
                r.slice().partition() == other.source().partition()
                    && r.offset() == other.source().offset());
    WireContext asked = Wire.CONTEXT.decode(context.value());
    log.replace(context, Wire.CONTEXT.encode(Tamper.with(asked, "decisionId", one.decisionId())));
    assertNames(check(), Invariant.I1, name(again), "has a decision at seq " + one.seq());
  }

  @Test
  void aDroppedAppliedRewardIsLostAndLeavesAGap() {
    SegmentEvent applied = applied(10);
    log.remove(at(applied));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I2, "decision_id " + applied.decisionId() + " of segment s1");
    assertNames(findings, Invariant.I4, key(applied.seq()), "seq goes from");
    assertClean(findings, Invariant.I1, Invariant.I3, Invariant.I7);
  }

  @Test
  void aDroppedSegmentEventThatIsNoRewardLeavesAGap() {
    SegmentEvent expired =
        segmentEvent(
            o -> o.type() == SegmentEventType.REWARD_TIMEOUT && o.segment().equals(SEGMENT));
    log.remove(at(expired));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I4, key(expired.seq()), "seq goes from");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I3, Invariant.I7);
  }

  @Test
  void aDoubledAppliedRewardIsAppliedTwice() {
    SegmentEvent applied = applied(10);
    log.doubled(at(applied));
    List<Finding> findings = check();
    assertNames(
        findings, Invariant.I2, "decision_id " + applied.decisionId(), "was applied before");
    assertNames(findings, Invariant.I4, key(applied.seq()), "an earlier change has this seq");
    assertClean(findings, Invariant.I1, Invariant.I3, Invariant.I7);
  }

  /** The same reward under a seq of its own, all later ones moved on: no gap to be seen. */
  @Test
  void aRewardThatWasReallyAppliedTwiceIsSeenByItsOriginAndByTheOracle() {
    SegmentEvent applied = applied(10);
    shift(SEGMENT, applied.seq());
    LogRecord at = at(applied);
    List<LogRecord> in = log.records(at.slice().topic(), at.slice().partition());
    SegmentEvent again = Tamper.with(applied, "seq", applied.seq() + 1);
    in.add(
        in.indexOf(at) + 1,
        new LogRecord(
            at.slice(), at.offset(), at.timestamp(), at.key(), Wire.SEGMENT_EVENT.encode(again)));
    List<Finding> findings = check();
    assertNames(
        findings, Invariant.I2, "decision_id " + applied.decisionId(), "was applied before");
    assertNames(findings, Invariant.I3, key(applied.seq() + 1), "awaits nothing");
    assertClean(findings, Invariant.I4);
  }

  @Test
  void aRewardAppliedToTheWrongDecisionIsNamed() {
    SegmentEvent applied = applied(10);
    Decision other =
        decision(d -> d.seq() > 1 && d.segment().equals(SEGMENT) && isOther(d, applied));
    SegmentEvent wrong = Tamper.with(applied, "id", other.decisionId());
    log.replace(at(applied), Wire.SEGMENT_EVENT.encode(wrong));
    assertNames(
        check(), Invariant.I2, "decision_id " + other.decisionId(), "does not match the reward");
  }

  @Test
  void aRewardAppliedUnderTheIdOfOneAndTheHashOfAnotherIsNamed() {
    SegmentEvent applied = applied(10);
    SegmentEvent wrong = Tamper.with(applied, "hash", IdHash.of("somebody else").hex());
    log.replace(at(applied), Wire.SEGMENT_EVENT.encode(wrong));
    assertNames(check(), Invariant.I3, key(applied.seq()), "decision.hash at seq", "the log says");
  }

  @Test
  void anotherRewardThanTheOneSentIsNamed() {
    SegmentEvent applied = applied(10);
    double other = applied.observedReward() == 0 ? 1 : 0;
    SegmentEvent wrong = Tamper.with(applied, "reward.value", other);
    log.replace(at(applied), Wire.SEGMENT_EVENT.encode(Tamper.with(wrong, "learnedReward", other)));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I2, "decision_id " + applied.decisionId());
    assertEquals(Verdict.VIOLATED, of(findings, Invariant.I3).verdict());
    assertEquals(Verdict.VIOLATED, of(findings, Invariant.I5).verdict());
  }

  @Test
  void anotherArmIsNamedByBothReplays() {
    Decision decision = decided(20);
    String other = decision.arm().equals("A=left") ? "A=right" : "A=left";
    log.replace(at(decision), Wire.DECISION.encode(Tamper.with(decision, "arm", other)));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I3, key(decision.seq()), "arm");
    assertNames(findings, Invariant.I5, key(decision.seq()), "arm");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I4, Invariant.I6, Invariant.I7);
  }

  @Test
  void whateverElseADecisionSaysIsComputedAnew() {
    Decision decision = decided(20);
    LogRecord at = at(decision);
    List<Double> propensities = List.of(0.25, 0.75);
    for (Decision wrong :
        List.of(
            Tamper.with(decision, "values", propensities),
            Tamper.with(decision, "index", Math.nextUp(decision.index())),
            Tamper.with(decision, "mean", Math.nextUp(decision.mean())),
            Tamper.with(decision, "width", Math.nextUp(decision.width())),
            Tamper.with(decision, "reason", DecisionReason.FORCED_EXPLORATION),
            Tamper.with(decision, "certified", !decision.certified()),
            Tamper.with(decision, "propensities.kind", PropensityKind.ESTIMATED),
            Tamper.with(decision, "candidates", List.of("A=right", "A=left")),
            Tamper.with(decision, "policy", "ucb"),
            Tamper.with(decision, "specHash", "ab".repeat(16)),
            Tamper.with(decision, "specVersion", 2L),
            Tamper.with(decision, "modelFingerprint", null),
            Tamper.with(decision, "fairSetSize", 1),
            Tamper.with(decision, "sample", new ExperimentSample(1, null)),
            Tamper.with(decision, "sample", new ExperimentSample(0, 0)),
            Tamper.with(decision, "draws", 100))) {
      assertOracleNames(at, wrong, decision.seq());
    }
  }

  @Test
  void whateverElseASegmentEventSaysIsComputedAnew() {
    SegmentEvent applied = applied(10);
    String other = String.valueOf(applied.arm()).equals("A=left") ? "A=right" : "A=left";
    LogRecord at = at(applied);
    for (SegmentEvent wrong :
        List.of(
            Tamper.with(applied, "type", SegmentEventType.REWARD_BUFFERED),
            Tamper.with(applied, "type", SegmentEventType.REWARD_TIMEOUT),
            Tamper.with(applied, "arm", other),
            Tamper.with(applied, "propensity", Math.nextDown(applied.decision().propensity())),
            Tamper.with(applied, "features", List.of(0.0)),
            Tamper.with(applied, "decision.propensities.values", List.of(1.0, 0.0)),
            Tamper.with(applied, "decision.propensities.kind", PropensityKind.EXACT),
            Tamper.with(applied, "decision.propensities.draws", 7),
            Tamper.with(applied, "propensities", null),
            Tamper.with(applied, "learnedReward", Math.nextUp(applied.learnedReward())),
            Tamper.with(applied, "modelFingerprint", "ab".repeat(16)),
            Tamper.with(applied, "specVersion", 2L),
            Tamper.with(applied, "reason", "UNKNOWN_ARM"))) {
      assertOracleNames(at, wrong, applied.seq());
    }
    SegmentEvent silent =
        segmentEvent(
            o -> o.type() == SegmentEventType.REWARD_TIMEOUT && Boolean.TRUE.equals(o.learned()));
    assertOracleNames(at(silent), Tamper.with(silent, "mediators", Map.of("M", "1")), silent.seq());
  }

  private void assertOracleNames(LogRecord at, Record wrong, long seq) {
    log.replace(at(decode(at)), encode(wrong));
    List<Finding> findings = check();
    log.replace(at(wrong), Payloads.value(at));
    String segment = String.valueOf(component(wrong, "segment"));
    assertNames(
        findings,
        Invariant.I3,
        "segment " + segment + ", seq " + seq,
        "at seq " + seq,
        "the log says");
  }

  @Test
  void aRewardUnderTheSeqOfAnotherDecisionIsNamed() {
    SegmentEvent applied = applied(10);
    SegmentEvent wrong = Tamper.with(applied, "decision.seq", applied.decisionSeq() - 1);
    log.replace(at(applied), Wire.SEGMENT_EVENT.encode(wrong));
    assertNames(check(), Invariant.I3, key(applied.seq()), "decision.seq");
  }

  @Test
  void oneBitOfADigestIsNamed() {
    SegmentMetrics metrics = metrics(m -> m.segment().equals(SEGMENT) && m.seq() > 30);
    String digest = Objects.requireNonNull(metrics.digests()).model();
    char first = digest.charAt(0);
    String flipped = Integer.toHexString(Character.digit(first, 16) ^ 1) + digest.substring(1);
    log.replace(at(metrics), Wire.METRICS.encode(Tamper.with(metrics, "digests.model", flipped)));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I3, key(metrics.seq()), "digests.model");
    assertNames(findings, Invariant.I5, key(metrics.seq()), "digests.model");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I4, Invariant.I6, Invariant.I7);
  }

  @Test
  void theOrderSwappedIsNamed() {
    Decision one = decided(20);
    Decision other = decision(d -> d.segment().equals(SEGMENT) && d.seq() > one.seq());
    log.swap(at(one), at(other));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I4, key(one.seq()), "follows seq " + other.seq());
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I3, Invariant.I6, Invariant.I7);
  }

  @Test
  void aGapOfWhichNothingIsMissingOnTheTopicsIsNamed() {
    Decision from = decided(20);
    shift(SEGMENT, from.seq() - 1);
    List<Finding> findings = check();
    assertNames(findings, Invariant.I4, key(from.seq()), "1 missing in all");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I3, Invariant.I7);
  }

  @Test
  void theBeginningMissingIsNamed() {
    SegmentEvent adopted = segmentEvent(o -> o.segment().equals(SEGMENT) && o.seq() == 1);
    log.remove(at(adopted));
    assertNames(check(), Invariant.I4, key(1), "the first seq is 2");
  }

  @Test
  void aLedgerOffByOneIsNamed() {
    SegmentMetrics metrics = metrics(m -> m.segment().equals(SEGMENT) && m.seq() > 30);
    LogRecord at = at(metrics);
    Record contexts = metrics.contexts();
    for (String account :
        List.of("decided", "rejected", "deadlineExceeded", "duplicate", "conflicting")) {
      Record off = Tamper.with(contexts, account, value(contexts, account) + 99);
      assertLedgerIsNamed(at, Tamper.with(metrics, "contexts", off));
    }
    Record decisions = metrics.decisions();
    for (String account :
        List.of("awaiting", "settled", "timedOut", "evicted", "closedNotLearnable")) {
      Record off = Tamper.with(decisions, account, value(decisions, account) + 1);
      assertLedgerIsNamed(at, Tamper.with(metrics, "decisions", off));
    }
    Record rewards = metrics.rewards();
    for (String account : List.of("applied", "buffered")) {
      Record off = Tamper.with(rewards, account, value(rewards, account) + 1);
      assertLedgerIsNamed(at, Tamper.with(metrics, "rewards", off));
    }
    for (String account : List.of("duplicate", "conflicting", "late", "orphan", "invalid")) {
      Record off = Tamper.with(rewards, account, value(rewards, account) + 99);
      assertLedgerIsNamed(at, Tamper.with(metrics, "rewards", off));
    }
  }

  @Test
  void refusalsThatALaterSnapshotCountsNoMoreAreNamed() {
    SegmentMetrics last = metrics(m -> m.segment().equals(SEGMENT) && m.rewards().invalid() > 2);
    LogRecord at = at(last);
    Record fewer = Tamper.with(last.rewards(), "invalid", 0L);
    log.replace(at, Wire.METRICS.encode(Tamper.with(last, "rewards", fewer)));
    assertNames(check(), Invariant.I6, key(last.seq()), "REWARD_INVALID: the ledger falls from");
  }

  /** Of no snapshot, so that none falls from the one before. */
  @Test
  void refusalsThatNoSnapshotCountsAreNamed() {
    for (LogRecord at :
        List.copyOf(log.records(LogTopic.METRICS, MemoryLog.partitionOf(SEGMENT)))) {
      SegmentMetrics metrics = (SegmentMetrics) decode(at);
      Record none = Tamper.with(metrics.contexts(), "duplicate", 0L);
      if (metrics.segment().equals(SEGMENT)) {
        log.replace(at, Wire.METRICS.encode(Tamper.with(metrics, "contexts", none)));
      }
    }
    List<Finding> findings = check();
    assertNames(
        findings,
        Invariant.I6,
        "segment " + SEGMENT,
        "CONTEXT_DUPLICATE: the ledger counts 0, the dead-letter topic ",
        " before it");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I4, Invariant.I7);
  }

  private void assertLedgerIsNamed(LogRecord at, SegmentMetrics wrong) {
    log.replace(at(decode(at)), Wire.METRICS.encode(wrong));
    List<Finding> findings = check();
    log.replace(at(wrong), Payloads.value(at));
    assertNames(findings, Invariant.I6, key(wrong.seq()), "the ledger");
    assertClean(findings, Invariant.I3, Invariant.I4);
  }
}
