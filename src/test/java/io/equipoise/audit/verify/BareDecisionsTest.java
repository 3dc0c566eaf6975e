package io.equipoise.audit.verify;

import static io.equipoise.audit.verify.TamperedLog.assertNames;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.TestKeys;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs whose decisions leave their features off, so that a replay needs the contexts. */
class BareDecisionsTest {
  private static final long SEED = 7;
  private static final int STEPS = TamperedLog.STEPS;

  /** Nobody plays it on; every test has a copy to tamper with. */
  private static final PlayedDeployment BARE =
      new PlayedDeployment(SEED, STEPS, SensitiveValues.PLAIN, null, false).ended();

  private final PlayedDeployment bare = BARE.copy();

  private static List<Finding> check(PlayedDeployment played) {
    return new Auditor(played.log, played.texts(), AuditorTest.PLAIN).check();
  }

  /** Returns the last decision that rests on features. */
  private Decision lastChosen() {
    Decision last = null;
    try (LogReader reader = bare.log.read(bare.log.slices(LogTopic.DECISIONS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        Decision decision = Wire.DECISION.decode(Payloads.value(at));
        assertNull(decision.features());
        assertNull(decision.candidateFeatures());
        last = decision.lacksFeatures() ? decision : last;
      }
    }
    if (last == null) {
      throw new AssertionError("nothing was decided");
    }
    return last;
  }

  private LogRecord contextOf(Decision decision) {
    return bare.log.records(LogTopic.CONTEXTS, decision.source().partition()).stream()
        .filter(at -> at.offset() == decision.source().offset())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aLogIsCheckedAsIfNothingWasLeftOff() {
    lastChosen();
    assertEquals(check(TamperedLog.PLAYED).toString(), check(bare).toString());
  }

  @Test
  void littleMemoryIsEnoughForTheContextsOnTheWay() {
    VerifyOptions verifyOptions =
        new VerifyOptions(true, Duration.ZERO, 100_000, 3, List.of(), Duration.ofSeconds(15), null);
    List<Finding> findings = new Auditor(bare.log, bare.texts(), verifyOptions).check();
    for (Finding finding : findings.subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    }
    assertEquals(TamperedLog.of(check(bare), Invariant.I3), TamperedLog.of(findings, Invariant.I3));
  }

  @Test
  void whatIsHiddenBesidesIsCheckedWithTheKey() {
    PlayedDeployment hiding =
        new PlayedDeployment(SEED, STEPS, SensitiveValues.PSEUDONYMIZE, TestKeys.of(1), false)
            .ended();
    List<Finding> findings =
        new Auditor(
                hiding.log,
                hiding.texts(),
                AuditorTest.PLAIN,
                StartState.NOTHING,
                KeyRing.of(TestKeys.of(1)))
            .check();
    assertEquals(check(TamperedLog.PLAYED).toString(), findings.toString());
  }

  /** What of a context is changed, to what, and what the oracle says of it. */
  static List<Arguments> changes() {
    return List.of(
        Arguments.of("attributes", Map.of("S", "nobody", "X", "low"), "could not be decided about"),
        Arguments.of("decisionId", "stranger", "is that of decision_id stranger"),
        Arguments.of("segment", "elsewhere", "of segment elsewhere"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aContextThatIsNoLongerWhatItWasIsFoundByTheOracle(
      String field, Object value, String saying) {
    Decision last = lastChosen();
    LogRecord at = contextOf(last);
    WireContext context = Wire.CONTEXT.decode(Payloads.value(at));
    bare.log.replace(at, Wire.CONTEXT.encode(Tamper.with(context, field, value)));
    String key = "segment " + last.segment() + ", seq " + last.seq();
    assertNames(check(bare), Invariant.I3, key, saying);
  }

  @Test
  void anOriginThatHoldsNoContextIsNamed() {
    Decision last = lastChosen();
    String key = "segment " + last.segment() + ", seq " + last.seq();
    LogRecord at = contextOf(last);
    bare.log.replace(at, MemoryLog.bytes("no Avro"));
    assertNames(check(bare), Invariant.I3, key, "a record that cannot be decoded");
    bare.log.remove(contextOf(last));
    assertNames(check(bare), Invariant.I3, key, "has no record");
  }

  @Test
  void aContextThatRetentionRemovedLeavesTheReplayUnchecked() {
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      List<LogRecord> contexts = bare.log.records(LogTopic.CONTEXTS, partition);
      bare.log.retain(LogTopic.CONTEXTS, partition, contexts.get(contexts.size() / 2).offset());
    }
    Set<Invariant> replays = EnumSet.of(Invariant.I3, Invariant.I5);
    for (Finding finding : check(bare).subList(0, 7)) {
      if (replays.contains(finding.invariant())) {
        assertEquals(Verdict.NOT_CHECKED, finding.verdict(), finding.toString());
        String why = String.valueOf(finding.why());
        assertTrue(why.contains("equipoise.privacy.features"), why);
        assertTrue(why.contains("is no longer there"), why);
      }
    }
  }
}
