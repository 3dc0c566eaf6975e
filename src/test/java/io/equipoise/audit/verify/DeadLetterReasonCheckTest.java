package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AnswerSize;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Truncation;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead letters that name a fault which their record has not, and faults that nobody refused. */
@Tag("slow")
class DeadLetterReasonCheckTest extends TamperedLog {
  private static boolean isLate(DeadLetter letter) {
    return letter.code().equals("LATE_REWARD") || letter.code().equals("DECISION_CLOSED");
  }

  @Test
  void aGoodRewardThatIsCalledMalformedIsNamed() {
    DeadLetter letter = deadLetter(DeadLetterReasonCheckTest::isLate);
    call(letter, "MALFORMED");
    List<Finding> findings = check();
    assertNames(findings, Invariant.I7, place(letter), "has code MALFORMED", "no such error");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I3, Invariant.I4);
  }

  @Test
  void aGoodContextThatIsRejectedForALevelThatItsSpecListsIsNamed() {
    Decision decision = decided(20);
    LogRecord at = at(decision);
    Decision rejected = Tamper.with(decision, "reason", DecisionReason.REJECTED);
    rejected = Tamper.with(rejected, "errorCode", "UNKNOWN_LEVEL");
    log.replace(at, Wire.DECISION.encode(Tamper.with(rejected, "features", null)));
    LogRecord context = context(decision.source().partition(), decision.source().offset());
    DeadLetter letter =
        DeadLetter.undecodable(
                new InputFault(ErrorCode.UNKNOWN_LEVEL, "X: one of low, high", List.of("X")),
                new Origin(
                    String.valueOf(decision.source().topic()),
                    decision.source().partition(),
                    decision.source().offset(),
                    context.timestamp()),
                context.key(),
                context.value())
            .of(decision.segment(), decision.decisionId());
    log.append(
        LogTopic.DEAD_LETTER,
        at.slice().partition(),
        at.timestamp(),
        at.key(),
        Wire.DEAD_LETTER.encode(letter));
    assertNames(check(), Invariant.I7, place(letter), "has code UNKNOWN_LEVEL", "no such error");
  }

  @Test
  void aBadContextThatIsRejectedForAnotherFaultIsNamed() {
    DeadLetter letter = deadLetter(l -> l.code().equals("UNKNOWN_LEVEL"));
    call(letter, "MISSING_VARIABLE");
    assertNames(check(), Invariant.I7, place(letter), "has code MISSING_VARIABLE", "no such error");
  }

  @Test
  void aSegmentThatHadStateCannotBeOneTooMany() {
    DeadLetter letter = deadLetter(l -> l.code().equals("DECISION_CLOSED"));
    call(letter, "TOO_MANY_SEGMENTS");
    assertNames(check(), Invariant.I7, place(letter), "its segment had state");
  }

  @Test
  void aSegmentThatIsOneTooManyIsNamedAsItsRecordNamesIt() {
    DeadLetter letter = deadLetter(l -> l.code().equals("DECISION_CLOSED"));
    DeadLetter other = Tamper.with(letter, "segment", "another");
    log.replace(
        at(letter), Wire.DEAD_LETTER.encode(Tamper.with(other, "code", "TOO_MANY_SEGMENTS")));
    assertNames(check(), Invariant.I7, place(letter), "names other ids");
  }

  @Test
  void bytesThatCannotBeReadForAnotherReasonAreNamed() {
    DeadLetter letter = deadLetter(l -> l.code().equals("UNFRAMED"));
    call(letter, "EMPTY");
    assertNames(
        check(), Invariant.I7, place(letter), "has code EMPTY, but its bytes give UNFRAMED");
  }

  @Test
  void aFaultThatIsInTheBytesIsTheOneThatIsNamed() {
    DeadLetter letter = deadLetter(l -> l.code().equals("NOT_FINITE"));
    call(letter, "UNKNOWN_LEVEL");
    assertNames(
        check(),
        Invariant.I7,
        place(letter),
        "has code UNKNOWN_LEVEL, but its bytes give NOT_FINITE");
  }

  @Test
  void aLetterThatNamesAnotherDecisionIsNamed() {
    DeadLetter letter = deadLetter(l -> l.code().equals("NOT_FINITE"));
    log.replace(at(letter), Wire.DEAD_LETTER.encode(Tamper.with(letter, "decisionId", "other")));
    assertNames(check(), Invariant.I7, place(letter), "names other ids");
  }

  @Test
  void aFaultyRewardThatIsAppliedIsNamed() {
    SegmentEvent applied = applied(10);
    LogRecord reward =
        log.first(
            LogTopic.REWARDS,
            r ->
                applied.source().partition() == r.slice().partition()
                    && applied.source().offset() == r.offset());
    WireReward sent = Wire.REWARD.decode(reward.value());
    WireReward faulty = Tamper.with(sent, "mediators", Map.of("M", Double.NaN));
    log.replace(reward, Wire.REWARD.encode(faulty));
    List<Finding> findings = check();
    assertNames(
        findings, Invariant.I7, "decision_id " + applied.decisionId(), "invalid and was applied");
    assertClean(findings, Invariant.I1, Invariant.I4);
  }

  @Test
  void aFaultByAnySpecThatTheSegmentWasUnderWillDo() {
    DeadLetter letter = learnedWithoutMediators();
    assertNames(check(), Invariant.I7, place(letter), "has code MISSING_MEDIATOR");
    SegmentEvent adopted =
        segmentEvent(o -> o.type() == SegmentEventType.SPEC_ADOPTED && o.seq() == 1);
    String needing = played.specs.get(1).spec().hash(); // D-UCB learns by the mediator
    String segment = String.valueOf(letter.segment());
    SegmentEvent other = Tamper.with(Tamper.with(adopted, "specHash", needing), "segment", segment);
    log.append(
        LogTopic.SEGMENT_EVENTS,
        MemoryLog.partitionOf(segment),
        Long.MAX_VALUE,
        MemoryLog.bytes(segment),
        Wire.SEGMENT_EVENT.encode(other));
    assertClean(check(), Invariant.I7);
  }

  @Test
  void aFaultByASpecThatIsNotKnownIsNotChecked() {
    learnedWithoutMediators();
    SpecRegistry none =
        new SpecRegistry() {
          @Override
          public @Nullable CompiledSpec select(String segment) {
            return null;
          }

          @Override
          public @Nullable CompiledSpec byHash(String hash) {
            return null;
          }
        };
    SpecCatalog gone =
        new SpecCatalog(none, BoundsRegistry.NONE, played.specs, List.of(), Map.of());
    assertClean(new Auditor(log, gone, AuditorTest.PLAIN).check(), Invariant.I7);
    log.retain(LogTopic.SEGMENT_EVENTS, 0, 1);
    assertClean(check(), Invariant.I7);
  }

  /** Refuses a reward for want of a mediator in the segment of UCB, which needs none. */
  private DeadLetter learnedWithoutMediators() {
    DeadLetter late = deadLetter(l -> isLate(l) && "s0".equals(l.segment()));
    WireReward sent = Wire.REWARD.decode(late.input().value());
    byte[] bare = Wire.REWARD.encode(Tamper.with(sent, "mediators", Map.of()));
    log.replace(
        log.first(
            LogTopic.REWARDS,
            r ->
                r.slice().partition() == late.source().partition()
                    && r.offset() == late.source().offset()),
        bare);
    DeadLetter letter = Tamper.with(late, "value", bare);
    List<String> needed = played.specs.get(1).policy().mediatorsNeeded(); // of D-UCB
    letter = Tamper.with(letter, "variables", needed);
    log.replace(at(late), Wire.DEAD_LETTER.encode(letter));
    call(letter, "MISSING_MEDIATOR");
    return letter;
  }

  @Test
  void aLetterThatWasCutIsCheckedByItsOrigin() {
    DeadLetter letter = deadLetter(l -> l.code().equals("UNKNOWN_LEVEL"));
    byte[] key = letter.input().key();
    byte[] value = letter.input().value();
    DeadLetter cut = Tamper.with(letter, "value", Arrays.copyOf(value, 12));
    Truncation sizes = new Truncation(key.length, value.length);
    cut = replaced(letter, Tamper.with(cut, "truncated", sizes));
    assertClean(check(), Invariant.I7);
    Truncation others = new Truncation(key.length, value.length + 1);
    replaced(cut, Tamper.with(cut, "truncated", others));
    assertNames(check(), Invariant.I7, place(letter), "contains other bytes");
  }

  @Test
  void candidatesThatAnAnswerHasNoRoomForAreRefusedByTheLimitThatTheLetterTells() {
    int most = PlayedDeployment.MAX_RECORD_BYTES;
    DeadLetter letter = manyCandidates(most, false);
    assertClean(check(), Invariant.I7);
    letter = limited(letter, most - 1_142); // the option was another one then
    assertClean(check(), Invariant.I7);
    letter = limited(letter, 67_886);
    assertTrue(AnswerSize.most(67_886) >= 59_400, "which the candidates take");
    assertNames(check(), Invariant.I7, place(letter), "has code CANDIDATES_INVALID");
    letter = limited(letter, 9_142);
    assertNames(check(), Invariant.I7, place(letter), "its bytes give OVERSIZED");
    letter = limited(letter, null);
    assertNames(check(), Invariant.I7, place(letter), "has code CANDIDATES_INVALID");
    letter = limited(letter, most);
    letter = replaced(letter, Tamper.with(letter, "variables", List.of("X")));
    assertNames(check(), Invariant.I7, place(letter), "other variables");
  }

  @Test
  void aRecordIsTooLargeByTheLimitThatItsLetterTells() {
    Decision decision = decided(20);
    LogRecord known = context(decision.source().partition(), decision.source().offset());
    WireContext sent = Wire.CONTEXT.decode(Payloads.value(known));
    WireContext large = Tamper.with(sent, "decisionId", "large");
    byte[] value =
        Wire.CONTEXT.encode(Tamper.with(large, "attributes", Map.of("note", "n".repeat(2000))));
    int partition = known.slice().partition();
    log.append(LogTopic.CONTEXTS, partition, known.timestamp(), known.key(), value);
    LogRecord input = log.first(LogTopic.CONTEXTS, r -> Arrays.equals(value, r.value()));
    assertEquals(Verdict.VIOLATED, of(check(), Invariant.I1).verdict());
    DeadLetter letter = oversized(input, value.length, 1024);
    byte[] first = Wire.DEAD_LETTER.encode(letter);
    log.append(LogTopic.DEAD_LETTER, 0, input.timestamp(), input.key(), first);
    assertClean(check(), Invariant.I1, Invariant.I7);
    for (int limit : List.of(1023, value.length)) {
      letter = replaced(letter, oversized(input, value.length, limit));
      assertNames(check(), Invariant.I7, place(letter), "has code OVERSIZED", "no such error");
    }
    DeadLetter other = oversized(input, value.length, 1024);
    letter = replaced(letter, Tamper.with(other, "variables", List.of("X")));
    assertNames(check(), Invariant.I7, place(letter), "other variables");
  }

  @Test
  void aContextThatWasTooLargeToBeReadHasNoDecisionThatRejectsIt() {
    DeadLetter letter = manyCandidates(null, true);
    LogRecord input = context(letter.source().partition(), letter.source().offset());
    replaced(letter, oversized(input, letter.input().value().length, 1024));
    assertNames(check(), Invariant.I7, name(rejected(letter)), "its dead letter says it has none");
  }

  private LogRecord context(int partition, long offset) {
    return log.first(
        LogTopic.CONTEXTS, r -> r.slice().partition() == partition && r.offset() == offset);
  }

  private Decision rejected(DeadLetter letter) {
    return decision(d -> letter.input().decisionId().equals(d.decisionId()));
  }

  private DeadLetter replaced(DeadLetter letter, DeadLetter other) {
    log.replace(at(letter), Wire.DEAD_LETTER.encode(other));
    return other;
  }

  private static DeadLetter oversized(LogRecord input, int bytes, int limit) {
    String fact = "The value has %d bytes; at most %d are allowed".formatted(bytes, limit);
    Origin origin =
        new Origin(
            input.slice().name(), input.slice().partition(), input.offset(), input.timestamp());
    return DeadLetter.undecodable(
        new InputFault(ErrorCode.OVERSIZED, fact, List.of(), limit),
        origin,
        input.key(),
        Payloads.value(input));
  }

  @Test
  void anAnswersSizeThatIsRefusedAgainAfterARestartTellsNoLimit() {
    DeadLetter letter = manyCandidates(null, true);
    assertNames(check(), Invariant.I7, place(letter), "has no such error");
    log.replace(at(letter), Wire.DEAD_LETTER.encode(Tamper.with(letter, "writerEpoch", 2)));
    assertClean(check(), Invariant.I7);
  }

  private DeadLetter limited(DeadLetter letter, @Nullable Integer limit) {
    return replaced(letter, Tamper.with(letter, "limitBytes", limit));
  }

  /** Lets a context that was refused for a level bring candidates, and be refused for these. */
  private DeadLetter manyCandidates(@Nullable Integer limit, boolean isRecovered) {
    DeadLetter letter = deadLetter(l -> l.code().equals("UNKNOWN_LEVEL"));
    List<CandidateArm> candidates =
        IntStream.range(0, 3300)
            .mapToObj(i -> new CandidateArm("c" + (1000 + i), Map.of()))
            .toList();
    WireContext sent = Wire.CONTEXT.decode(letter.input().value());
    byte[] value = Wire.CONTEXT.encode(Tamper.with(sent, "candidates", candidates));
    log.replace(
        log.first(
            LogTopic.CONTEXTS,
            r ->
                r.slice().partition() == letter.source().partition()
                    && r.offset() == letter.source().offset()),
        value);
    DeadLetter other = Tamper.with(letter, "value", value);
    other = Tamper.with(other, "code", ErrorCode.CANDIDATES_INVALID.name());
    other = Tamper.with(Tamper.with(other, "variables", List.of()), "recovered", isRecovered);
    return limited(replaced(letter, other), limit);
  }

  @Test
  void aContextWithoutADeadlineThatIsCalledStaleIsNamed() {
    Decision decision = decided(20);
    Decision stale = Tamper.with(decision, "reason", DecisionReason.DEADLINE_EXCEEDED);
    log.replace(at(decision), Wire.DECISION.encode(Tamper.with(stale, "features", null)));
    assertNames(
        check(),
        Invariant.I7,
        name(decision),
        "its reason is DEADLINE_EXCEEDED, but its context has no deadline");
  }

  private void call(DeadLetter letter, String code) {
    log.replace(at(letter), Wire.DEAD_LETTER.encode(Tamper.with(letter, "code", code)));
  }

  @Test
  void aCodeThatDoesNotExistIsNotChecked() {
    DeadLetter letter = deadLetter(DeadLetterReasonCheckTest::isLate);
    call(letter, "TOO_HANDSOME");
    Finding finding = of(check(), Invariant.I7);
    assertEquals(Verdict.NOT_CHECKED, finding.verdict(), finding.toString());
    assertEquals(place(letter), finding.offender());
    assertTrue(String.valueOf(finding.why()).contains("has code TOO_HANDSOME"), finding.toString());
  }

  @Test
  void parametersThatDoNotFollowFromTheFaultAreNamed() {
    for (String code : List.of("UNFRAMED", "NOT_FINITE", "UNKNOWN_LEVEL")) {
      DeadLetter letter = deadLetter(l -> l.code().equals(code));
      for (DeadLetter forged :
          List.of(
              Tamper.with(letter, "variables", List.of("somebody else's")),
              Tamper.with(letter, "limitBytes", 7),
              Tamper.with(letter, "recovered", true))) {
        LogRecord at = at(letter);
        log.replace(at, Wire.DEAD_LETTER.encode(forged));
        assertNames(check(), Invariant.I7, place(letter), "other variables", code);
        log.replace(at(forged), at.value());
      }
    }
  }

  @Test
  void aMessageMayBeAnyText() {
    for (String code : List.of("UNFRAMED", "NOT_FINITE", "UNKNOWN_LEVEL")) {
      DeadLetter letter = deadLetter(l -> l.code().equals(code));
      replaced(letter, Tamper.with(letter, "message", "Todo est\u00e1 bien."));
    }
    assertClean(check(), Invariant.values());
  }
}
