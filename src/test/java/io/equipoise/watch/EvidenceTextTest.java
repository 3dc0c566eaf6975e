package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.ChallengerEvidence;
import java.util.List;
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
}
