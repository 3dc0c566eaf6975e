package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvidenceTextTest {
  @ParameterizedTest
  @CsvSource({
    ".93, '>=', .9, 93 % >= 90 %",
    ".8996, '<', .9, 89.96 % < 90.00 %",
    ".9, '>=', .9, 90 % >= 90 %"
  })
  void sharesThatDifferLookDifferent(double one, String sign, double other, String text) {
    assertEquals(text, EvidenceText.shares(one, sign, other));
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
    assertEquals("", EvidenceText.unknown(whole, found(whole)));
    WatchEvidence missing = WatchedLog.passing(40, 0, 1);
    assertEquals("[0.4, 0.6]", EvidenceText.value(missing, found(missing)));
    assertEquals("[-0.01, 0.01]", EvidenceText.difference(missing, found(missing)));
    WatchEvidence unsupported = WatchedLog.passing(0, .0001, 1);
    assertEquals("[0.4, 0.6]", EvidenceText.value(unsupported, found(unsupported)));
    assertEquals(
        "0.0 % of the rewards are missing, and the log cannot show less than 0.1 % of its choices;"
            + " each end assumes the worst of them, so there is no estimate between the ends",
        EvidenceText.unknown(unsupported, found(unsupported)));
  }

  private static ChallengerEvidence found(WatchEvidence evidence) {
    return Objects.requireNonNull(evidence.ofChallenger());
  }

  @Test
  void theLevelOfIntervalsAndVerdictsIsSaid() {
    CompiledSpec spec = SimulationSpecs.cells();
    ChallengerRegistration registered = new WatchedLog(spec).challenger(spec, 0, Map.of());
    assertEquals(
        "Each interval of a value or a difference holds at all times at once with the probability"
            + " 95 %, for this number alone. Over all candidates and all times together a gate passes wrongly with at most"
            + " the probability 0.05.",
        EvidenceText.level(WatchRecord.of(WatchedLog.SEGMENT, registered)));
    assertEquals(
        "For each monitor by itself: all intervals hold at all times at once with the probability"
            + " 1 - 0.05, and any of its alarms is ever wrong with at most the probability 0.05."
            + " Changes have no such level: where there is none, at least 100,000 rows pass on"
            + " average until one is found.",
        EvidenceText.level(WatchRecord.of(WatchedLog.SEGMENT, WatchedLog.genders(0))));
  }

  @Test
  void zeroHasNoSignAndACertificateThatNobodyHasIsNoCondition() {
    WatchEvidence none = WatchedLog.passing(0, 0, 0);
    CompiledSpec spec = SimulationSpecs.cells();
    ChallengerRegistration registered = new WatchedLog(spec).challenger(spec, 0, Map.of());
    assertEquals("0 >= 0", EvidenceText.gate(registered, found(none)));
    assertEquals(
        "nothing certified, nothing required", EvidenceText.fairness(registered, found(none)));
  }
}
