package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segmentspec.AttributeFault.Code;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContextEncoderTest {
  private static final ContextEncoder ENCODER =
      new ContextEncoder(SpecParser.parse(SpecText.SOUND));

  private static ContextEncoder with(String piece, String other) {
    return new ContextEncoder(SpecText.parsedWith(piece, other));
  }

  private static void assertLevels(Encoded encoded, int... levels) {
    assertEquals(List.of(), encoded.faults());
    assertArrayEquals(levels, encoded.levels());
  }

  private static void assertFault(Encoded encoded, Code code, String variable, String message) {
    assertFalse(encoded.isValid());
    assertEquals(List.of(new AttributeFault(code, variable, message)), encoded.faults());
    assertEquals(0, encoded.levels().length);
  }

  @Test
  void levelsComeInTheOrderOfTheFeaturesAndOthersArePassedOver() {
    assertLevels(ENCODER.encode(Map.of("X", 20L, "S", "m", "shoe size", 44L)), 1, 1);
  }

  @Test
  void aNumberFallsIntoTheLevelThatStartsWithIt() {
    assertLevels(ENCODER.encode(Map.of("S", "f", "X", 0)), 0, 0);
    assertLevels(ENCODER.encode(Map.of("S", "f", "X", Math.nextDown(18.0))), 0, 0);
    assertLevels(ENCODER.encode(Map.of("S", "f", "X", 18.0)), 0, 1);
    assertLevels(ENCODER.encode(Map.of("S", "f", "X", 65.5)), 0, 2);
    assertLevels(ENCODER.encode(Map.of("S", "f", "X", 100)), 0, 2);
  }

  @Test
  void aNumberOutsideTheRangeIsAFault() {
    String message = "X: a number from 0 to 100";
    assertFault(
        ENCODER.encode(Map.of("S", "f", "X", Math.nextUp(100.0))), Code.OUT_OF_RANGE, "X", message);
    assertFault(ENCODER.encode(Map.of("S", "f", "X", -1L)), Code.OUT_OF_RANGE, "X", message);
  }

  @Test
  void whatIsNoFiniteNumberIsAFault() {
    for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertFault(
          ENCODER.encode(Map.of("S", "f", "X", value)),
          Code.NOT_FINITE,
          "X",
          "X: a finite number is needed");
    }
    assertFault(
        ENCODER.encode(Map.of("S", Double.NaN, "X", 1)),
        Code.NOT_FINITE,
        "S",
        "S: a finite number is needed");
    assertFault(
        ENCODER.encode(Map.of("S", "f", "X", "20")),
        Code.NOT_FINITE,
        "X",
        "X: a number from 0 to 100 is needed");
  }

  @Test
  void whoDoesNotTellIsUndisclosed() {
    assertLevels(ENCODER.encode(Map.of("X", 1)), 2, 0);
    assertLevels(ENCODER.encode(Map.of("X", 1, "S", "undisclosed")), 2, 0);
  }

  @Test
  void aMarginalizedVariableTakesTheIndexPastItsLevels() {
    ContextEncoder encoder = with("levels: [f, m]", "levels: [f, m], missing: marginalize");
    assertLevels(encoder.encode(Map.of("X", 1)), 2, 0);
    assertFault(
        encoder.encode(Map.of("X", 1, "S", "undisclosed")),
        Code.UNKNOWN_LEVEL,
        "S",
        "S: one of f, m");
  }

  @Test
  void aRefusedVariableThatIsMissingIsAFault() {
    assertFault(ENCODER.encode(Map.of("S", "f")), Code.MISSING_VARIABLE, "X", "X: it is needed");
    ContextEncoder encoder = with("levels: [f, m]", "levels: [f, m], missing: reject");
    assertFault(encoder.encode(Map.of("X", 1)), Code.MISSING_VARIABLE, "S", "S: it is needed");
  }

  @Test
  void aNumberMayBeUndisclosedToo() {
    ContextEncoder encoder = with("cuts: [18, 65.5]", "cuts: [18, 65.5], missing: level");
    assertLevels(encoder.encode(Map.of("S", "f")), 0, 3);
    assertLevels(encoder.encode(Map.of("S", "f", "X", "undisclosed")), 0, 3);
    assertLevels(encoder.encode(Map.of("S", "f", "X", 99)), 0, 2);
    ContextEncoder averaging = with("cuts: [18, 65.5]", "cuts: [18, 65.5], missing: marginalize");
    assertLevels(averaging.encode(Map.of("S", "f")), 0, 3);
    assertFault(
        averaging.encode(Map.of("S", "f", "X", "undisclosed")),
        Code.NOT_FINITE,
        "X",
        "X: a number from 0 to 100 is needed");
  }

  @Test
  void anUnknownLevelIsAFaultThatKeepsTheValueToItself() {
    Encoded encoded = ENCODER.encode(Map.of("S", "secret", "X", 777));
    assertEquals(2, encoded.faults().size());
    assertEquals(Code.UNKNOWN_LEVEL, encoded.faults().get(0).code());
    assertEquals("S: one of f, m, undisclosed", encoded.faults().get(0).message());
    assertFalse(encoded.toString().contains("secret") || encoded.toString().contains("777"));
  }

  @Test
  void numbersAndTruthValuesAreTheLevelsOfTheirName() {
    ContextEncoder encoder =
        with("range: [0, 100], cuts: [18, 65.5]", "levels: [\"2\", \"3.0\", \"0.5\", true, false]");
    Object[] values = {2, 2L, 2.0, 2f, "2", 3.0, 3L, 0.5, true, false};
    int[] levels = {0, 0, 0, 0, 0, 1, 1, 2, 3, 4};
    for (int i = 0; i < values.length; i++) {
      assertLevels(encoder.encode(Map.of("S", "f", "X", values[i])), 0, levels[i]);
    }
  }

  @Test
  void mediatorsThatWereNotObservedAreMinusOne() {
    assertLevels(ENCODER.encodeMediators(Map.of()), -1);
    assertLevels(ENCODER.encodeMediators(Map.of("M", "yes", "R", 1)), 1);
    assertFault(
        ENCODER.encodeMediators(Map.of("M", "maybe")),
        Code.UNKNOWN_LEVEL,
        "M",
        "M: one of no, yes");
  }

  @Test
  void armsAreFoundByTheirId() {
    assertEquals(5, ENCODER.armIndex("A=b,B=2"));
    assertEquals(-1, ENCODER.armIndex("A=b,B=3"));
    assertTrue(ENCODER.armIndex("") < 0);
  }

  @Test
  void aNumberIsTheLevelThatWritesItHoweverItIsWritten() {
    ContextEncoder encoder =
        with(
            "range: [0, 100], cuts: [18, 65.5]",
            "levels: [\"1.10\", \"2.50\", \"3.0\", \"0.0001\", \"-0.0\","
                + " \"100000000000000000000\"]");
    Object[] values = {1.1, 2.5, 2.5f, 3L, 3, 1e-4, 0, -0.0, 1e20, "2.50"};
    int[] levels = {0, 1, 1, 2, 2, 3, 4, 4, 5, 1};
    for (int i = 0; i < values.length; i++) {
      assertLevels(encoder.encode(Map.of("S", "f", "X", values[i])), 0, levels[i]);
    }
    for (Object value : new Object[] {"2.5", 2.51, true}) {
      assertFalse(encoder.encode(Map.of("S", "f", "X", value)).isValid(), value.toString());
    }
  }

  @Test
  void ofLevelsOfOneNumberItIsTheOneWrittenLikeItOrNone() {
    ContextEncoder encoder =
        with(
            "range: [0, 100], cuts: [18, 65.5]",
            "levels: [\"1.1\", \"1.10\", \"2.50\", \"2.500\", \"07\", \"7\"]");
    Object[] values = {1.1, "1.10", "2.500", "07", 7};
    int[] levels = {0, 1, 3, 4, 5};
    for (int i = 0; i < values.length; i++) {
      assertLevels(encoder.encode(Map.of("S", "f", "X", values[i])), 0, levels[i]);
    }
    assertFalse(encoder.encode(Map.of("S", "f", "X", 2.5)).isValid());
  }
}
