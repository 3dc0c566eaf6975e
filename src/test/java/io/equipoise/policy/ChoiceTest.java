package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChoiceTest {
  @Test
  void aDistributionWithAShareOfTheArmIsSound() {
    assertDoesNotThrow(() -> choice(1, 0.25, 0.75).requireSound(2));
    assertDoesNotThrow(() -> choice(0, 1 - 1e-9, 0, 0).requireSound(3), "rounding");
  }

  @ParameterizedTest
  @CsvSource({
    "0,NaN,0.5",
    "0,0.5,NaN",
    "0,0.1,0.1",
    "0,1.5,-0.5",
    "0,0,1",
    "0,0,0",
    "-1,0.5,0.5",
    "2,0.5,0.5",
    "0,Infinity,0"
  })
  void whatIsNoDistributionIsRefused(int arm, double first, double second) {
    Choice choice = choice(arm, first, second);
    assertThrows(IllegalStateException.class, () -> choice.requireSound(2));
  }

  @Test
  void aCandidateWithoutAPropensityIsRefused() {
    Choice tooFew = choice(0, 1);
    assertThrows(IllegalStateException.class, () -> tooFew.requireSound(2));
  }

  private static Choice choice(int arm, double... propensities) {
    return new Choice(
        arm,
        DecisionReason.EXPLOIT,
        0,
        0,
        0,
        PropensityKind.EXACT,
        0,
        propensities,
        true,
        -1,
        null,
        false);
  }
}
