package io.equipoise.audit.verify;

import static io.equipoise.audit.verify.TamperedLog.assertClean;
import static io.equipoise.audit.verify.TamperedLog.assertNames;
import static io.equipoise.audit.verify.TamperedLog.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AttemptMarker;
import io.equipoise.event.ContextLedger;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.job.RestlessDeployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks every invariant on purpose in a log of at-least-once delivery. */
class TamperedAttemptsTest {
  private static final long SEED = 3;
  private static final long MEMORY = 64 << 20;

  private final RestlessDeployment played = new RestlessDeployment(SEED, 500);
  private final MemoryLog log = played.log;
  private final AttemptHistory history = AttemptHistory.read(log, MEMORY);

  @TempDir private Path directory;

  private record Placed(LogRecord at, Decision decision, boolean isWithdrawn) {}

  private List<Finding> judge() {
    return judge(List.of(), null);
  }

  private List<Finding> judge(List<Instant> faults, @Nullable Path witness) {
    Question question =
        new Question(
            true,
            RestlessDeployment.MAX_RECORD_BYTES,
            Duration.ZERO,
            MEMORY,
            3,
            faults,
            Duration.ofMillis(1),
            witness);
    return new Auditor(log, played.texts(), question).judge();
  }

  /** Returns the valid decisions in the order in which the auditor reads them. */
  private List<Placed> valid() {
    List<Placed> valid = new ArrayList<>();
    VoidRecords voids = new VoidRecords();
    try (LogReader reader = log.read(log.slices(LogTopic.DECISIONS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        Decision decision = voids.decision(at);
        if (decision != null) {
          boolean isWithdrawn =
              history.isWithdrawn(decision.segment(), decision.attempt(), decision.seq());
          valid.add(new Placed(at, decision, isWithdrawn));
        }
      }
    }
    return valid;
  }

  private Placed valid(Predicate<Placed> what) {
    return valid().stream().filter(what).findFirst().orElseThrow();
  }

  private Placed recovered() {
    return valid(it -> it.decision.recovered() && !it.isWithdrawn && isChosen(it.decision));
  }

  private Placed ordinary() {
    return valid(it -> !it.decision.recovered() && !it.isWithdrawn && isChosen(it.decision));
  }

  private static boolean isChosen(Decision decision) {
    return decision.features() != null && decision.propensities().size() == 2;
  }

  private void replace(Placed placed, Decision decision) {
    log.replace(placedIn(placed.at), Wire.DECISION.encode(decision));
  }

  /** Finds a record as the log keeps it. */
  private LogRecord placedIn(LogRecord at) {
    return log.records(at.slice().topic(), at.slice().partition()).stream()
        .filter(it -> it.offset() == at.offset())
        .findFirst()
        .orElseThrow();
  }

  private static String other(String arm) {
    return arm.equals("A=left") ? "A=right" : "A=left";
  }

  @Test
  void aLogThatNobodyTamperedWithIsCleanAndTellsWhatWasGivenAgain() {
    List<Finding> findings = judge();
    for (Finding finding : findings.subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    }
    String told = String.valueOf(TamperedLog.of(findings, Invariant.I1).why());
    assertTrue(told.matches("[1-9]\\d* answers were given again, [1-9]\\d* records.*"), told);
  }

  @Test
  void anAnswerThatIsGivenAgainWithAnotherArmIsNamed() {
    Placed again = recovered();
    replace(again, Tamper.with(again.decision, "arm", other(again.decision.arm())));
    assertNames(judge(), Invariant.I1, name(again.decision), "it carries arm", "and the answer at");
  }

  @Test
  void anAnswerThatWasWithdrawnAndIsChangedAfterwardsIsNamed() {
    Decision again = recovered().decision;
    Placed first =
        valid(it -> it.isWithdrawn && it.decision.decisionId().equals(again.decisionId()));
    replace(first, Tamper.with(first.decision, "arm", other(again.arm())));
    assertNames(judge(), Invariant.I1, "decision_id " + again.decisionId(), "it carries arm");
  }

  @Test
  void anArmThatIsTakenForShownAndNeverWasIsNamed() {
    Placed ordinary = ordinary();
    replace(ordinary, Tamper.with(ordinary.decision, "recovered", true));
    List<Finding> findings = judge();
    assertNames(findings, Invariant.I3, name(ordinary.decision), "no record before it shows");
    assertClean(findings, Invariant.I1, Invariant.I4, Invariant.I6, Invariant.I7);
  }

  @Test
  void anArmWhoseFirstRecordRetentionMayHaveRemovedIsNotJudged() {
    LogRecord again = recovered().at;
    log.retain(LogTopic.DECISIONS, again.slice().partition(), again.offset());
    List<Finding> findings = stable(log, MEMORY);
    Finding finding = TamperedLog.of(findings, Invariant.I3);
    assertEquals(Verdict.NOT_JUDGED, finding.verdict(), finding.toString());
    String told = String.valueOf(finding.why());
    assertTrue(told.endsWith("before offset " + again.offset() + " are gone"), told);
  }

  @Test
  void anIdThatNamesAnotherDecisionLaterIsComparedWithThat() {
    long memory = 1_000;
    Decision any = ordinary().decision;
    Decision first = numbered(Tamper.with(any, "eventTime", 0L), 1, 1);
    Decision later = numbered(Tamper.with(any, "eventTime", 5 * memory), 2, 5);
    later = Tamper.with(later, "arm", other(any.arm()));
    MemoryLog reused = new MemoryLog();
    append(reused, first);
    append(reused, Tamper.with(numbered(first, 2, 1), "recovered", true));
    append(reused, later);
    append(reused, Tamper.with(numbered(later, 3, 5), "recovered", true));
    assertEquals(Verdict.OK, TamperedLog.of(stable(reused, memory), Invariant.I3).verdict());
    append(reused, Tamper.with(numbered(first, 4, 1), "recovered", true));
    assertEquals(Verdict.VIOLATED, TamperedLog.of(stable(reused, memory), Invariant.I3).verdict());
  }

  private static Decision numbered(Decision decision, int attempt, long seq) {
    return Tamper.with(Tamper.with(decision, "attempt", attempt), "seq", seq);
  }

  private static void append(MemoryLog to, Decision decision) {
    AttemptMarker marker = new AttemptMarker(decision.attempt(), 0, 127);
    to.append(LogTopic.DECISIONS, 0, decision.eventTime(), null, Wire.ATTEMPT.encode(marker));
    to.append(LogTopic.DECISIONS, 0, decision.eventTime(), null, Wire.DECISION.encode(decision));
  }

  /** Returns what this one judge finds. */
  private static List<Finding> stable(MemoryLog log, long memoryMillis) {
    Docket docket = new Docket();
    new StableAnswers(docket, AttemptHistory.read(log, MEMORY), memoryMillis, MEMORY).judge(log);
    return docket.findings();
  }

  @Test
  void anAnswerThatIsGivenAgainWithOtherPropensitiesIsNamed() {
    Placed again = recovered();
    replace(again, Tamper.with(again.decision, "propensities", List.of(0.25, 0.75)));
    List<Finding> findings = stable(log, MEMORY); // the replay may name what it finds before
    assertNames(findings, Invariant.I3, name(again.decision), "other propensities");
  }

  @Test
  void aVoidRecordWithAnotherArmHarmsNobody() {
    Decision decision = ordinary().decision;
    Decision late = Tamper.with(decision, "arm", other(decision.arm()));
    LogRecord at = ordinary().at;
    log.append(
        LogTopic.DECISIONS,
        at.slice().partition(),
        at.timestamp() + 1_000_000,
        at.key(),
        Wire.DECISION.encode(Tamper.with(late, "attempt", 1)));
    for (Finding finding : judge().subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    }
  }

  @Test
  void aSecondValidRecordIsOneTooMany() {
    Placed ordinary = last();
    Decision again = Tamper.with(ordinary.decision, "arm", other("A=left"));
    log.append(
        LogTopic.DECISIONS,
        ordinary.at.slice().partition(),
        ordinary.at.timestamp() + 1_000_000,
        ordinary.at.key(),
        Wire.DECISION.encode(again));
    List<Finding> findings = judge();
    assertNames(findings, Invariant.I1, name(again), "was answered before");
    assertNames(findings, Invariant.I4, "segment " + again.segment(), "was there before");
  }

  /** The last one that a bandit chose, whose attempt is not over. */
  private Placed last() {
    List<Placed> all = new ArrayList<>(valid());
    all.removeIf(it -> it.isWithdrawn || !isChosen(it.decision));
    return all.get(all.size() - 1);
  }

  @Test
  void aDroppedAnswerLeavesAContextUnansweredAndAGap() {
    Placed ordinary = ordinary();
    log.remove(placedIn(ordinary.at));
    List<Finding> findings = judge();
    assertNames(findings, Invariant.I1, name(ordinary.decision), "no decision answers");
    assertNames(findings, Invariant.I4, "segment " + ordinary.decision.segment(), "seq goes from");
  }

  @Test
  void anAppliedRewardThatIsDoubledIsNamed() {
    LogRecord applied = outcome(it -> it.kind() == OutcomeKind.APPLIED);
    log.doubled(applied);
    List<Finding> findings = judge();
    assertNames(findings, Invariant.I2, "decision_id ", "was applied before");
    assertNames(findings, Invariant.I4, "segment ", "was there before");
  }

  @Test
  void anAppliedRewardThatIsDroppedIsNamed() {
    log.remove(outcome(it -> it.kind() == OutcomeKind.APPLIED));
    List<Finding> findings = judge();
    assertNames(findings, Invariant.I2, "decision_id ");
    assertNames(findings, Invariant.I4, "segment ", "seq goes from");
  }

  private LogRecord outcome(Predicate<Outcome> what) {
    return log.first(
        LogTopic.OUTCOMES,
        at -> {
          Outcome outcome = Wire.OUTCOME.decode(at.value());
          return what.test(outcome)
              && !history.isWithdrawn(outcome.segment(), outcome.attempt(), outcome.seq());
        });
  }

  @Test
  void aLearnedRewardThatIsAnotherIsFoundByTheOracle() {
    LogRecord applied =
        outcome(it -> it.kind() == OutcomeKind.APPLIED && it.learnedReward() != null);
    Outcome outcome = Wire.OUTCOME.decode(applied.value());
    log.replace(applied, Wire.OUTCOME.encode(Tamper.with(outcome, "learnedReward", 0.37)));
    List<Finding> findings = judge();
    assertNames(findings, Invariant.I3, "segment " + outcome.segment());
    assertClean(findings, Invariant.I1, Invariant.I4, Invariant.I7);
  }

  @Test
  void aDigestThatIsAnotherIsFoundTogetherAndAlone() {
    LogRecord snapshot = snapshot();
    SegmentMetrics metrics = Wire.METRICS.decode(snapshot.value());
    log.replace(snapshot, Wire.METRICS.encode(Tamper.with(metrics, "digest", "00")));
    List<Finding> findings = judge();
    assertNames(findings, Invariant.I3, "segment " + metrics.segment(), "digest");
    assertNames(findings, Invariant.I5, "segment " + metrics.segment(), "digest");
  }

  @Test
  void aLedgerThatCountsOtherwiseIsNamed() {
    LogRecord snapshot = snapshot();
    SegmentMetrics metrics = Wire.METRICS.decode(snapshot.value());
    ContextLedger contexts = metrics.contexts();
    ContextLedger more = Tamper.with(contexts, "decided", contexts.decided() + 1);
    log.replace(snapshot, Wire.METRICS.encode(Tamper.with(metrics, "contexts", more)));
    assertNames(judge(), Invariant.I6, "segment " + metrics.segment(), "contexts decided");
  }

  private LogRecord snapshot() {
    return log.first(
        LogTopic.METRICS,
        at -> {
          SegmentMetrics metrics = Wire.METRICS.decode(at.value());
          return metrics.segment().equals("s0")
              && !history.isWithdrawn(metrics.segment(), metrics.attempt(), metrics.seq());
        });
  }

  @Test
  void aBadInputWithoutADeadLetterIsNamedAndADoubledLetterIsNot() {
    DeadLetter letter = Wire.DEAD_LETTER.decode(undecodable().value());
    log.doubled(undecodable());
    assertClean(judge(), Invariant.I7);
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      log.records(LogTopic.DEAD_LETTER, partition)
          .removeIf(
              at -> {
                DeadLetter other = Wire.DEAD_LETTER.decode(at.value());
                return other.offset() == letter.offset()
                    && other.partition() == letter.partition()
                    && other.topic().equals(letter.topic());
              });
    }
    assertNames(judge(), Invariant.I7, letter.topic() + "/", "is in no dead letter");
  }

  @Test
  void aDeadLetterWithOtherBytesIsNamed() {
    LogRecord at = undecodable();
    DeadLetter letter = Wire.DEAD_LETTER.decode(at.value());
    byte[] bytes = Arrays.copyOf(letter.value(), letter.value().length + 1);
    log.replace(at, Wire.DEAD_LETTER.encode(Tamper.with(letter, "value", bytes)));
    assertNames(judge(), Invariant.I7, letter.topic() + "/", "holds other bytes");
  }

  private LogRecord undecodable() {
    return log.first(
        LogTopic.DEAD_LETTER, at -> Wire.DEAD_LETTER.decode(at.value()).segment() == null);
  }

  @Test
  void markersAreNoAnswersAfterAFault() {
    List<LogRecord> contexts = log.records(LogTopic.CONTEXTS, 0);
    Instant fault = Instant.ofEpochMilli(contexts.get(contexts.size() / 2).timestamp());
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      log.records(LogTopic.DECISIONS, partition)
          .removeIf(at -> at.timestamp() > fault.toEpochMilli() && !AttemptMarker.isIn(at.value()));
    }
    assertNames(judge(List.of(fault), null), Invariant.I8, "fault at ", "no decision");
  }

  @Test
  void aWithdrawnAnswerThatAReaderSawAndIsGoneIsNamed() throws IOException {
    List<String> lines = new ArrayList<>(List.of(WitnessLine.HEADER));
    for (LogRecord at : log.records(LogTopic.DECISIONS, 0)) {
      lines.add(WitnessLine.of(at).text());
    }
    Path witness = Files.write(directory.resolve("seen.tsv"), lines);
    assertEquals(Verdict.OK, TamperedLog.of(judge(List.of(), witness), Invariant.I9).verdict());
    log.remove(placedIn(valid(it -> it.isWithdrawn && it.at.slice().partition() == 0).at));
    assertNames(judge(List.of(), witness), Invariant.I9, "test.decisions/0/", "withdrawn");
  }
}
