package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
  @ParameterizedTest
  @CsvSource({"0,0", "-0.0,-0.0", ".5,.5", "2e-3,.002", "0e-400,0", "00.0E9,0", "1e-320,1e-320"})
  void numbersAreRead(String text, double number) {
    assertEquals(number, Decimal.of(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e400", "-1e400", "1e-400", "-0.001e-330", "NaN", "1d", "0x1p3", ""})
  void whatNoDoubleHoldsIsNone(String text) {
    assertEquals(Double.NaN, Decimal.of(text));
  }
}
