package io.equipoise.audit.verify;

import static io.equipoise.audit.verify.TamperedLog.assertClean;
import static io.equipoise.audit.verify.TamperedLog.assertNames;
import static io.equipoise.audit.verify.TamperedLog.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.RestlessDeployment;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Breaks on purpose what at-least-once delivery promises of answers. */
@Tag("slow")
class TamperedAnswersTest extends WriterEpochsFixture {
  private static final String GONE = "0".repeat(32);
  private static final String EXPLORING = "s2"; // linucb with a share of uniform draws

  @Test
  void aLogThatNobodyTamperedWithIsCleanAndTellsWhatWasGivenAgain() {
    List<Finding> findings = check();
    for (Finding finding : findings.subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    }
    String told = String.valueOf(TamperedLog.of(findings, Invariant.I1).why());
    assertTrue(
        told.matches("[1-9]\\d* decisions were repeated after a restart, [1-9]\\d* records.*"),
        told);
  }

  @Test
  void anAnswerThatIsGivenAgainWithAnotherArmIsNamed() {
    Placed again = recovered();
    replace(again, Tamper.with(again.decision(), "arm", other(again.decision().arm())));
    assertNames(
        check(), Invariant.I1, name(again.decision()), "it carries arm", "but the decision at");
  }

  @Test
  void anAnswerThatWasWithdrawnAndIsChangedAfterwardsIsNamed() {
    Decision again = recovered().decision();
    Placed first =
        valid(it -> it.isWithdrawn() && it.decision().decisionId().equals(again.decisionId()));
    replace(first, Tamper.with(first.decision(), "arm", other(again.arm())));
    assertNames(check(), Invariant.I1, "decision_id " + again.decisionId(), "it carries arm");
  }

  @Test
  void anArmThatIsTakenForShownAndNeverWasIsNamed() {
    Placed ordinary = ordinary();
    replace(ordinary, Tamper.with(ordinary.decision(), "recovered", true));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I3, name(ordinary.decision()), "no earlier record contains it");
    assertClean(findings, Invariant.I1, Invariant.I4, Invariant.I6, Invariant.I7);
  }

  @Test
  void anArmWhoseFirstRecordRetentionMayHaveRemovedIsNotChecked() {
    LogRecord again = recovered().at();
    log.retain(LogTopic.DECISIONS, again.slice().partition(), again.offset());
    List<Finding> findings = stable(log, MEMORY);
    Finding finding = TamperedLog.of(findings, Invariant.I3);
    assertEquals(Verdict.NOT_CHECKED, finding.verdict(), finding.toString());
    String told = String.valueOf(finding.why());
    assertTrue(told.endsWith("before offset " + again.offset() + " are removed"), told);
  }

  @Test
  void anIdThatNamesAnotherDecisionLaterIsComparedWithThat() {
    long memory = 1_000;
    Decision any = ordinary().decision();
    Decision first = numbered(Tamper.with(any, "eventTime", 0L), 1, 1);
    Decision later = numbered(Tamper.with(any, "eventTime", 5 * memory), 2, 5);
    later = elsewhere(Tamper.with(later, "arm", other(any.arm())));
    MemoryLog reused = new MemoryLog();
    append(reused, first);
    append(reused, Tamper.with(numbered(first, 2, 1), "recovered", true));
    append(reused, later);
    append(reused, Tamper.with(numbered(later, 3, 5), "recovered", true));
    assertEquals(Verdict.OK, TamperedLog.of(stable(reused, memory), Invariant.I3).verdict());
    append(reused, Tamper.with(numbered(first, 4, 1), "recovered", true));
    assertEquals(Verdict.OK, TamperedLog.of(stable(reused, memory), Invariant.I3).verdict());
    Decision another = elsewhere(later);
    another = Tamper.with(another, "eventTime", 10 * memory);
    append(reused, Tamper.with(numbered(another, 5, 1), "recovered", true));
    assertEquals(Verdict.VIOLATED, TamperedLog.of(stable(reused, memory), Invariant.I3).verdict());
  }

  /** Its segment had forgotten the id. */
  @Test
  void aDecisionThatIsRepeatedWithTheArmOfAnotherDecisionOfItsIdIsNamed() {
    Decision first = numbered(ordinary().decision(), 1, 1);
    Decision second = elsewhere(Tamper.with(numbered(first, 1, 2), "arm", other(first.arm())));
    for (boolean isRecovered : new boolean[] {true, false}) {
      MemoryLog reused = new MemoryLog();
      append(reused, first);
      append(reused, second);
      append(reused, Tamper.with(numbered(first, 2, 1), "recovered", true));
      append(reused, Tamper.with(numbered(second, 2, 2), "recovered", true));
      assertEquals(Verdict.OK, TamperedLog.of(stable(reused, MEMORY), Invariant.I1).verdict());
      append(reused, Tamper.with(numbered(first, 3, 1), "recovered", true));
      Decision wrong = Tamper.with(numbered(second, 3, 2), "arm", first.arm());
      append(reused, Tamper.with(wrong, "recovered", isRecovered));
      assertEquals(
          Verdict.VIOLATED, TamperedLog.of(stable(reused, MEMORY), Invariant.I1).verdict());
    }
  }

  /** Only a later writer epoch may continue from before the second decision. */
  @Test
  void aRepeatedContextWithTheArmOfAnEarlierDecisionOfItsIdIsNamed() {
    Decision first = numbered(ordinary().decision(), 1, 1);
    Decision second = elsewhere(Tamper.with(numbered(first, 1, 5), "arm", other(first.arm())));
    Decision next = numbered(Tamper.with(first, "decisionId", "next"), 2, 3);
    for (Decision arm : List.of(first, second)) {
      Decision repeated = Tamper.with(elsewhere(arm), "reason", DecisionReason.REPEATED);
      MemoryLog all = new MemoryLog();
      append(all, first);
      append(all, second);
      append(all, numbered(repeated, 1, SegmentWithoutSpec.UNNUMBERED));
      append(all, next);
      append(all, numbered(repeated, 2, SegmentWithoutSpec.UNNUMBERED));
      FindingsCollector findings = new FindingsCollector();
      new RepeatedDecisions(findings, WriterEpochHistory.read(all, MEMORY), MEMORY).check(all);
      Finding finding = TamperedLog.of(findings.findings(), Invariant.I1);
      assertEquals(arm == first ? 1 : 0, finding.violations(), finding::toString);
      assertEquals(2, finding.checked());
    }
  }

  /** Returns the same decision on the next context of the partition. */
  private static Decision elsewhere(Decision decision) {
    return Tamper.with(decision, "source.offset", decision.source().offset() + 1);
  }

  @Test
  void anAnswerThatIsWithdrawnAndWhoseContextRetentionHasRemovedIsNamed() {
    Decision first = numbered(ordinary().decision(), 1, 1);
    MemoryLog lost = new MemoryLog();
    append(lost, first);
    append(lost, numbered(Tamper.with(first, "decisionId", "later"), 2, 1));
    assertEquals(Verdict.OK, TamperedLog.of(stable(lost, MEMORY), Invariant.I1).verdict());
    lost.retain(LogTopic.CONTEXTS, first.source().partition(), first.source().offset() + 1);
    Finding finding = TamperedLog.of(stable(lost, MEMORY), Invariant.I1);
    assertEquals(Verdict.VIOLATED, finding.verdict(), finding.toString());
    assertTrue(String.valueOf(finding.offender()).contains(first.decisionId()), finding.toString());
    append(lost, Tamper.with(numbered(first, 2, 2), "recovered", true));
    assertEquals(Verdict.OK, TamperedLog.of(stable(lost, MEMORY), Invariant.I1).verdict());
  }

  @Test
  void decisionsThatAreRepeatedWithoutLearningAreCounted() {
    Decision first = numbered(ordinary().decision(), 1, 1);
    MemoryLog closed = new MemoryLog();
    append(closed, first);
    Decision again = Tamper.with(numbered(first, 2, 1), "recovered", true);
    append(closed, Tamper.with(again, "reason", DecisionReason.REJECTED));
    String told = String.valueOf(TamperedLog.of(stable(closed, MEMORY), Invariant.I1).why());
    assertTrue(
        told.startsWith("1 decision was repeated after a restart (1 of them without learning)"),
        told);
  }

  @Test
  void aDecisionThatIsRepeatedWithoutLearningUnderAnotherSpecIsNamed() {
    Decision first = numbered(ordinary().decision(), 1, 1);
    Decision again = unlearned(numbered(first, 2, 1));
    assertEquals(Verdict.VIOLATED, repeated(first, again).verdict());
    assertTrue(
        String.valueOf(repeated(first, again).why()).contains("although the text of its spec"));
    Decision lost = Tamper.with(first, "specHash", GONE);
    assertEquals(Verdict.OK, repeated(lost, again).verdict());
    Decision later = numbered(Tamper.with(first, "decisionId", "later"), 1, 2);
    later = Tamper.with(later, "specHash", "b".repeat(32));
    Decision recovered = Tamper.with(numbered(later, 2, 1), "recovered", true);
    Decision afterwards = Tamper.with(again, "seq", 2L);
    assertEquals(
        Verdict.OK,
        repeated(first, later, recovered, afterwards).verdict(),
        "contexts of two partitions came in another order");
  }

  @Test
  void aDecisionThatIsRepeatedWithoutLearningForLackOfRoomIsNamed() {
    Decision first = numbered(ordinary().decision(), 1, 1);
    Decision refused = Tamper.with(numbered(first, 2, 0), "recovered", true);
    refused = Tamper.with(refused, "reason", DecisionReason.REJECTED);
    refused = Tamper.with(refused, "errorCode", ErrorCode.TOO_MANY_SEGMENTS.name());
    Decision later = numbered(Tamper.with(first, "decisionId", "later"), 2, 1);
    Finding finding = repeated(first, refused, later);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertTrue(String.valueOf(finding.why()).contains("the state that it had"), finding.toString());
  }

  private static Decision unlearned(Decision decision) {
    Decision again = Tamper.with(decision, "recovered", true);
    again = Tamper.with(again, "reason", DecisionReason.REJECTED);
    return Tamper.with(again, "errorCode", ErrorCode.MODEL_CHANGED.name());
  }

  private static Finding repeated(Decision... decisions) {
    MemoryLog all = new MemoryLog();
    for (Decision decision : decisions) {
      append(all, decision);
    }
    return TamperedLog.of(stable(all, MEMORY), Invariant.I1);
  }

  private static Decision numbered(Decision decision, int writerEpoch, long seq) {
    return Tamper.with(Tamper.with(decision, "writerEpoch", writerEpoch), "seq", seq);
  }

  private static void append(MemoryLog to, Decision decision) {
    WriterEpochMarker marker = new WriterEpochMarker(decision.writerEpoch(), 0, 127);
    to.mark(0, decision.eventTime(), marker);
    to.append(LogTopic.DECISIONS, 0, decision.eventTime(), null, Wire.DECISION.encode(decision));
  }

  /** Returns what this one check finds. */
  private static List<Finding> stable(MemoryLog log, long memoryMillis) {
    FindingsCollector findings = new FindingsCollector();
    new StableAnswers(
            findings,
            WriterEpochHistory.read(log, MEMORY),
            memoryMillis,
            MEMORY,
            hash -> !hash.equals(GONE))
        .check(log);
    return findings.findings();
  }

  @Test
  void anAnswerWithoutFeaturesThatIsGivenAgainForAnotherRecordIsNamed() {
    MemoryLog bare = new RestlessDeployment(SEED, 500, execution -> false).log;
    assertEquals(Verdict.OK, TamperedLog.of(stable(bare, MEMORY), Invariant.I3).verdict());
    LogRecord at =
        bare.first(
            LogTopic.DECISIONS,
            it -> {
              if (it.isMarker()) {
                return false;
              }
              Decision decision = Wire.DECISION.decode(Payloads.value(it));
              return decision.recovered() && decision.isChosen();
            });
    Decision again = Wire.DECISION.decode(Payloads.value(at));
    Decision elsewhere = Tamper.with(again, "source.offset", again.source().offset() + 1);
    bare.replace(at, Wire.DECISION.encode(elsewhere));
    assertNames(
        stable(bare, MEMORY), Invariant.I3, name(again), "omits its features", "instead of");
  }

  @Test
  void anAnswerThatIsGivenAgainWithOtherPropensitiesIsNamed() {
    Placed again = recovered();
    replace(again, Tamper.with(again.decision(), "values", List.of(0.25, 0.75)));
    List<Finding> findings = stable(log, MEMORY); // the replay may name what it finds before
    assertNames(findings, Invariant.I3, name(again.decision()), "other propensities");
  }

  /** What was shown was drawn by the first record's propensities. */
  @Test
  void aSegmentEventOfAnAnswerThatWasGivenAgainTellsTheFirstOnes() {
    Set<List<Object>> again = new HashSet<>();
    for (Placed placed : valid()) {
      Decision decision = placed.decision();
      if (!placed.isWithdrawn() && decision.recovered() && decision.segment().equals(EXPLORING)) {
        again.add(List.of(decision.decisionId(), decision.seq()));
      }
    }
    LogRecord at =
        log.first(
            LogTopic.SEGMENT_EVENTS,
            it -> {
              SegmentEvent found = Wire.SEGMENT_EVENT.decode(Payloads.value(it));
              return found.decisionId() != null
                  && again.contains(named(found))
                  && !history.isWithdrawn(found.place());
            });
    SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(Payloads.value(at));
    Decision shown =
        valid(it -> it.decision().decisionId().equals(segmentEvent.decisionId())).decision();
    assertEquals(shown.propensities(), segmentEvent.decision().propensities());
    assertEquals(PropensityKind.EXACT, segmentEvent.decision().propensities().kind());
    List<Double> others = List.of(0.375, 0.625);
    log.replace(
        at,
        Wire.SEGMENT_EVENT.encode(
            Tamper.with(segmentEvent, "decision.propensities.values", others)));
    assertNames(
        check(), Invariant.I3, Change.key(EXPLORING, segmentEvent.seq()), "propensities.values");
  }

  private static List<Object> named(SegmentEvent segmentEvent) {
    return List.of(String.valueOf(segmentEvent.decisionId()), segmentEvent.decisionSeq());
  }

  @Test
  void aVoidRecordWithAnotherArmHarmsNobody() {
    Decision decision = ordinary().decision();
    Decision late = Tamper.with(decision, "arm", other(decision.arm()));
    LogRecord at = ordinary().at();
    log.append(
        LogTopic.DECISIONS,
        at.slice().partition(),
        at.timestamp() + 1_000_000,
        at.key(),
        Wire.DECISION.encode(Tamper.with(late, "writerEpoch", 1)));
    for (Finding finding : check().subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    }
  }

  @Test
  void aSecondValidRecordIsOneTooMany() {
    Placed ordinary = last();
    Decision again = Tamper.with(ordinary.decision(), "arm", other("A=left"));
    log.append(
        LogTopic.DECISIONS,
        ordinary.at().slice().partition(),
        ordinary.at().timestamp() + 1_000_000,
        ordinary.at().key(),
        Wire.DECISION.encode(again));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I1, name(again), "has an earlier decision");
    assertNames(
        findings, Invariant.I4, "segment " + again.segment(), "an earlier change has this seq");
  }

  /** The last one that a bandit chose, whose attempt is not over. */
  private Placed last() {
    List<Placed> all = new ArrayList<>(valid());
    all.removeIf(it -> it.isWithdrawn() || !isChosen(it.decision()));
    return all.get(all.size() - 1);
  }
}
