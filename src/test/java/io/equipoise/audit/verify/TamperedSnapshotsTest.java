package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.ArmShare;
import io.equipoise.event.CumulativeViolation;
import io.equipoise.event.FairnessSummary;
import io.equipoise.event.GapPart;
import io.equipoise.event.GapPartKind;
import io.equipoise.event.GapSplit;
import io.equipoise.event.GroupMean;
import io.equipoise.event.LogTopic;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Breaks the metrics topic alone; no other record of the log tells of it. */
@Tag("slow")
class TamperedSnapshotsTest extends TamperedLog {
  private static final int MINIMUM = 3;

  private final SegmentMetrics snapshot = counted(20);

  /** Returns a snapshot that is due by the number of decisions. */
  private SegmentMetrics counted(long after) {
    return metrics(
        it ->
            it.segment().equals(SEGMENT)
                && it.seq() > after
                && it.trigger() == MetricsTrigger.COUNT);
  }

  private List<LogRecord> all() {
    List<LogRecord> all = new ArrayList<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      all.addAll(log.records(LogTopic.METRICS, partition));
    }
    return all;
  }

  private LogRecord append(SegmentMetrics added, String key) {
    LogRecord at = at(snapshot);
    log.append(
        LogTopic.METRICS,
        at.slice().partition(),
        at.timestamp(),
        MemoryLog.bytes(key),
        Wire.METRICS.encode(added));
    List<LogRecord> in = log.records(LogTopic.METRICS, at.slice().partition());
    return in.get(in.size() - 1);
  }

  /** Asserts what is found of the topic, and that nothing else of the log is found bad. */
  private Finding assertFound(String offender, String... why) {
    List<Finding> findings = check();
    assertNames(findings, Invariant.I3, offender, why);
    for (Finding finding : findings.subList(0, 7)) {
      boolean isIt = finding.invariant() == Invariant.I3;
      assertEquals(isIt ? Verdict.VIOLATED : Verdict.OK, finding.verdict(), finding.toString());
    }
    return of(findings, Invariant.I3);
  }

  /** Asserts that a snapshot with another field is named with both values. */
  private void assertNamed(SegmentMetrics told, String field, Object wrong) {
    SegmentMetrics altered = Tamper.with(told, field, wrong);
    LogRecord at = at(told);
    log.replace(at, Wire.METRICS.encode(altered));
    Finding finding =
        assertFound(
            Change.key(SEGMENT, told.seq()),
            "of the snapshot, " + field + ": the log has ",
            at.place());
    assertEquals(1, finding.violations(), finding.toString());
    assertTrue(String.valueOf(finding.why()).contains(", the replay "), finding.toString());
    log.replace(at(altered), Payloads.value(at));
  }

  private static List<GroupMean> moreRewards(List<GroupMean> groups) {
    return groups.stream()
        .map(it -> new GroupMean(it.attribute(), it.level(), it.rewards() + 1000, 0.5))
        .toList();
  }

  @Test
  void whatASnapshotSaysOfFairnessIsNamed() {
    List<GroupMean> groups = snapshot.groups().means();
    assertFalse(groups.isEmpty());
    Double difference = snapshot.groups().difference();
    FairnessSummary fairness = snapshot.fairness();
    CumulativeViolation sums = Objects.requireNonNull(fairness.cumulativeViolation());
    Map<String, Object> others = new LinkedHashMap<>();
    others.put("groups.means", moreRewards(groups));
    others.put("groups.difference", difference == null ? 0.5 : Math.nextUp(difference));
    others.put("fairness.violations", fairness.violations() + 1);
    others.put("fairness.fallbacks", fairness.fallbacks() + 1);
    others.put("fairness.overlapAlarm", !fairness.overlapAlarm());
    others.put("fairness.cumulativeViolation.estimated", Math.nextUp(sums.estimated()));
    others.put("fairness.verdicts.unfair", fairness.verdicts().unfair() + 1);
    GapPart gap = new GapPart("S", GapPartKind.GAP, 0, -1, 1, 0);
    others.put("splits", List.of(new GapSplit("S", "a", "b", 1, 1, 0, 0, gap, gap, List.of(gap))));
    others.forEach((field, wrong) -> assertNamed(snapshot, field, wrong));
  }

  @Test
  void whatASnapshotSaysOfDecisionsAndOfItsSpecIsNamed() {
    List<ArmShare> arms = new ArrayList<>(snapshot.arms().listed());
    arms.set(0, new ArmShare(arms.get(0).arm(), arms.get(0).decisions() + 1));
    Map<String, Object> others = new LinkedHashMap<>();
    others.put("rounds", snapshot.rounds() + 1);
    others.put("arms.listed", arms);
    others.put("policy", "linucb");
    others.put("versions.specHash", "0".repeat(32));
    others.put("versions.modelFingerprint", "0".repeat(32));
    others.put("arms.leftOut", 1);
    others.forEach((field, wrong) -> assertNamed(snapshot, field, wrong));
  }

  @Test
  void whyAndWhenASnapshotWasWrittenFollowsFromTheDecisionBehindWhichItStands() {
    assertNamed(snapshot, "trigger", MetricsTrigger.EVENT_TIME);
    assertNamed(snapshot, "eventTime", snapshot.eventTime() + 1);
    assertNamed(snapshot, "place.writerEpoch", 1);
    SegmentMetrics other =
        metrics(it -> it.segment().equals(SEGMENT) && it.trigger() == MetricsTrigger.EVENT_TIME);
    assertNamed(other, "trigger", MetricsTrigger.COUNT);
    assertNamed(other, "place.writerEpoch", 1);
  }

  @Test
  void aSnapshotThatIsDueAndWasDroppedIsNamed() {
    log.remove(at(snapshot));
    Finding finding = assertFound(key(snapshot.seq()), "is not on the metrics topic");
    assertEquals(1, finding.violations());
  }

  /** No change tells of it, but the next snapshot. */
  @Test
  void aSnapshotOfATimerThatClosedNothingIsNamedWhereItWasDropped() {
    List<SegmentMetrics> bare = bare();
    assertTrue(bare.size() > 3, bare.size() + " snapshots");
    for (SegmentMetrics dropped : bare) {
      LogRecord at = at(dropped);
      List<LogRecord> in = log.records(LogTopic.METRICS, at.slice().partition());
      int place = in.indexOf(at);
      log.remove(at);
      Finding finding =
          assertFound(key(dropped.seq()), "is not on the metrics topic; the next one, at ");
      assertEquals(1, finding.violations(), finding.toString());
      in.add(place, at);
    }
  }

  /** Returns those of timers that no closed window tells of, and that are not the last. */
  private List<SegmentMetrics> bare() {
    Set<Long> closing = new HashSet<>();
    log.records(LogTopic.SEGMENT_EVENTS, MemoryLog.partitionOf(SEGMENT)).stream()
        .map(at -> (SegmentEvent) decode(at))
        .filter(
            it ->
                it.segment().equals(SEGMENT) && !it.type().equals(SegmentEventType.REWARD_APPLIED))
        .forEach(it -> closing.add(it.seq()));
    List<SegmentMetrics> ofTimers =
        all().stream()
            .map(at -> (SegmentMetrics) decode(at))
            .filter(it -> ofSegment(it) && it.trigger() == MetricsTrigger.EVENT_TIME)
            .toList();
    return ofTimers.subList(0, ofTimers.size() - 1).stream()
        .filter(it -> !closing.contains(it.seq()))
        .toList();
  }

  @Test
  void aSnapshotThatPassesOverTheOneBeforeItIsNamed() {
    SegmentMetrics second = counted(snapshot.seq());
    assertNamed(second, "previousSeq", second.previousSeq() - 1);
    assertNamed(second, "previousSeq", second.seq());
  }

  @Test
  void allSnapshotsDroppedAreNamed() {
    List<LogRecord> all = all();
    all.forEach(log::remove);
    List<Finding> findings = check();
    assertNames(findings, Invariant.I3, "segment s", "is not on the metrics topic");
    long missing = of(findings, Invariant.I3).violations();
    assertTrue(missing > all.size() / 3, missing + " of " + all.size());
  }

  @Test
  void aDoubledSnapshotIsNamed() {
    log.doubled(at(snapshot));
    Finding finding =
        assertFound(key(snapshot.seq()), "an earlier snapshot has this seq; at test.metrics/");
    assertEquals(1, finding.violations());
    append(Tamper.with(snapshot, "writerEpoch", 1), SEGMENT);
    assertEquals(2, of(check(), Invariant.I3).violations());
  }

  @Test
  void aSnapshotThatNobodyWritesIsNamed() {
    LogRecord added = append(Tamper.with(snapshot, "seq", applied(10).seq()), SEGMENT);
    assertNames(check(), Invariant.I3, key(applied(10).seq()), "digests.model");
    log.remove(added);
    added = append(Tamper.with(snapshot, "seq", 1_000_000L), SEGMENT);
    assertNames(check(), Invariant.I4, "segment " + SEGMENT, "has a later seq");
    log.remove(added);
    append(snapshot, "s2");
    assertFound(key(snapshot.seq()), "key is not its segment");
  }

  @Test
  void groupsLeftOutAreThoseThatSomeMinimumLeavesOut() {
    Redactor counting = new Redactor(SensitiveValues.PLAIN, null, MINIMUM, hash -> null);
    for (LogRecord at : all()) {
      SegmentMetrics plain = (SegmentMetrics) decode(at);
      log.replace(at, Wire.METRICS.encode(counting.of(plain)));
    }
    assertEquals(Verdict.OK, of(check(), Invariant.I3).verdict());
    SegmentMetrics told = metrics(TamperedSnapshotsTest::areBothTold);
    SegmentMetrics wrong =
        told.with(told.groups().with(told.groups().means().subList(0, 1), null, 1));
    LogRecord at = at(told);
    log.replace(at, Wire.METRICS.encode(wrong));
    assertFound(
        Change.key(told.segment(), told.seq()), "of the snapshot, groups.means: the log has ");
    log.replace(at(wrong), Payloads.value(at));
    SegmentMetrics hiding = metrics(it -> ofSegment(it) && it.groups().suppressed() > 0);
    assertNamed(hiding, "groups.suppressed", hiding.groups().suppressed() + 1);
  }

  private static boolean ofSegment(SegmentMetrics it) {
    return it.segment().equals(SEGMENT);
  }

  /** Nobody is in the group of those who did not disclose. */
  private static boolean areBothTold(SegmentMetrics it) {
    return it.groups().means().stream().filter(group -> group.rewards() >= MINIMUM).count() == 2;
  }

  /** What comes after the replay has parted from the log says nothing. */
  @Test
  void aReplayThatPartsMissesNoSnapshot() {
    log.remove(at(snapshot));
    SegmentMetrics before = metrics(it -> ofSegment(it) && it.seq() < snapshot.seq());
    log.replace(
        at(before), Wire.METRICS.encode(Tamper.with(before, "digests.model", "0".repeat(32))));
    Finding finding = of(check(), Invariant.I3);
    assertEquals(key(before.seq()), finding.offender());
    assertEquals(1, finding.violations());
  }

  @Test
  void theLastSnapshotWithAnotherDigestIsNotMissedBesides() {
    LogRecord last =
        all().stream()
            .filter(it -> ofSegment((SegmentMetrics) decode(it)))
            .reduce((one, other) -> other)
            .orElseThrow();
    SegmentMetrics told = (SegmentMetrics) decode(last);
    log.replace(last, Wire.METRICS.encode(Tamper.with(told, "digests.model", "0".repeat(32))));
    Finding finding = of(check(), Invariant.I3);
    assertEquals(key(told.seq()), finding.offender());
    assertEquals(1, finding.violations(), finding.toString());
  }

  @Test
  void aSavepointIsLaterThanSnapshotsAndWhatFollowsItIsChecked() {
    StartState startState = new PlayedDeployment(7, STEPS / 2).saved();
    long start = startState.segments(SEGMENT::equals).get(SEGMENT).seq();
    SegmentMetrics after = counted(start);
    assertTrue(counted(0).seq() <= start);
    assertEquals(Verdict.OK, from(startState).verdict(), from(startState).toString());
    log.remove(at(counted(0)));
    assertEquals(Verdict.OK, from(startState).verdict(), from(startState).toString());
    log.remove(at(after));
    assertEquals(key(after.seq()), from(startState).offender());
    log.append(
        LogTopic.METRICS,
        MemoryLog.partitionOf(SEGMENT),
        Long.MAX_VALUE,
        MemoryLog.bytes(SEGMENT),
        Wire.METRICS.encode(after));
    for (SegmentMetrics bare : bare()) {
      LogRecord at = at(bare);
      log.remove(at);
      Finding finding = from(startState);
      boolean isAfter = bare.seq() > start;
      assertEquals(isAfter ? key(bare.seq()) : null, finding.offender(), finding.toString());
      log.append(LogTopic.METRICS, at.slice().partition(), at.timestamp(), at.key(), at.value());
    }
  }

  private Finding from(StartState startState) {
    Auditor auditor =
        new Auditor(log, played.texts(), AuditorTest.PLAIN, startState, KeyRing.none());
    return of(auditor.check(), Invariant.I3);
  }

  /** A change and what tells of it are appended apart, so some minutes more are not checked. */
  @Test
  void whatRetentionHasRemovedOfTheTopicIsNotMissed() {
    int partition = MemoryLog.partitionOf(SEGMENT);
    List<LogRecord> in = log.records(LogTopic.METRICS, partition);
    log.retain(LogTopic.METRICS, partition, in.get(in.size() / 2).offset());
    Finding finding = of(check(), Invariant.I3);
    assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    assertEquals("snapshots that retention has removed were not checked", finding.why());
  }
}
