package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
