package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.GroupTest;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EvidenceTextTest {
  @ParameterizedTest
  @CsvSource({".93, 93 %", ".8996, 89.96 %", "1, 100 %", "0, 0 %", ".00004, 0 %"})
  void aShareHasTwoDecimalsAtMost(double share, String text) {
    assertEquals(text, EvidenceText.percent(share));
  }

  @ParameterizedTest
  @CsvSource({
    "5.4893, '240 : 1 that the gap exceeds 0.02'",
    "0.9, '2.4 : 1 that the gap exceeds 0.02'",
    "900, '1000000 : 1 that the gap exceeds 0.02'",
    "-0.1, 'no evidence that the gap exceeds 0.02'"
  })
  void oddsAreRoundedDown(double logEvalue, String text) {
    GroupTest test = new GroupTest("f", 1, 0, 0, 1, 0, 0, -1, 1, logEvalue, false, false);
    assertEquals(text, EvidenceText.odds(test, .02));
  }

  @ParameterizedTest
  @CsvSource({
    "-0.3, 0.329, 'undecided, no forecast'",
    "-0.2, -0.1, earns less",
    "0, 0, 'undecided, no forecast'"
  })
  void aChallengerIsSaidToEarnLessOnlyIfTheIntervalProvesIt(double low, double high, String text) {
    ChallengerEvidence found =
        new ChallengerEvidence(
            .5,
            .4,
            .6,
            .5,
            low,
            low,
            high,
            low,
            null,
            null,
            1,
            1,
            100,
            0,
            1,
            1,
            0,
            List.of(),
            null,
            List.of("reward"),
            false);
    assertEquals(text, EvidenceText.verdict(found));
  }

  @Test
  void aMeanOfWhichAPartIsUnknownIsAnInterval() {
    WatchEvidence whole = WatchedLog.passing(0, 0, 1);
    assertEquals("0.5 [0.4, 0.6]", EvidenceText.value(whole, found(whole)));
    assertEquals("0 [-0.01, 0.01]", EvidenceText.difference(whole, found(whole)));
    WatchEvidence missing = WatchedLog.passing(40, 0, 1);
    assertEquals("[0.4, 0.6]", EvidenceText.value(missing, found(missing)));
    assertEquals("[-0.01, 0.01]", EvidenceText.difference(missing, found(missing)));
    WatchEvidence unsupported = WatchedLog.passing(0, .0001, 1);
    assertEquals("[0.4, 0.6]", EvidenceText.value(unsupported, found(unsupported)));
  }

  private static ChallengerEvidence found(WatchEvidence evidence) {
    return Objects.requireNonNull(evidence.ofChallenger());
  }

  /**
   * Whoever reads why a registration ended reads what to do next; that which a person did needs
   * nothing.
   */
  @ParameterizedTest
  @EnumSource(WatchEnd.class)
  void everyEndHasARemedy(WatchEnd reason) {
    String text = EvidenceText.ended(new WatchEnded(reason, "seq 4", "c0"));
    assertTrue(text.startsWith(reason + " seq 4"), text);
    assertEquals(reason == WatchEnd.WITHDRAWN, !text.contains("register"), text);
  }

  @Test
  void zeroHasNoSign() {
    WatchEvidence none = WatchedLog.passing(0, 0, 0);
    CompiledSpec spec = SimulationSpecs.cells();
    ChallengerRegistration registered = new WatchedLog(spec).challenger(spec, 0, Map.of());
    assertEquals("0 >= 0", EvidenceText.gate(registered, found(none)));
    assertEquals("0 % >= 0 %", EvidenceText.fairness(registered, found(none)));
  }
}
