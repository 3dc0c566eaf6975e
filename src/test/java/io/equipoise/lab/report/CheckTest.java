package io.equipoise.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckTest {
  @Test
  void bothBoundsAreNumbersForMachinesInTheOrderOfTheContract() {
    JsonNode json = new ObjectMapper().valueToTree(Check.of("a", 1, 0, 2));
    List<String> keys = new ArrayList<>();
    json.fieldNames().forEachRemaining(keys::add);
    assertEquals(List.of("name", "value", "low", "high", "ok"), keys);
    assertTrue(json.get("low").isNumber() && json.get("high").isNumber(), json.toString());
  }

  @Test
  void aBoundThatIsNoFiniteNumberIsRefused() {
    for (double bound :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      assertThrows(IllegalArgumentException.class, () -> Check.of("a", 1, bound, 2));
      assertThrows(IllegalArgumentException.class, () -> Check.of("a", 1, 0, bound));
    }
  }

  @Test
  void boundsAreInclusiveAndNoNumberIsWithinThem() {
    assertTrue(Check.of("a", 0, 0, 2).ok());
    assertTrue(Check.of("a", 2, 0, 2).ok());
    assertFalse(Check.of("a", -1e-9, 0, 2).ok());
    assertFalse(Check.of("a", 2.1, 0, 2).ok());
    assertFalse(Check.of("a", Double.NaN, 0, 2).ok());
  }
}
