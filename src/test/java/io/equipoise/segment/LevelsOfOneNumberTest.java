package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.segmentspec.SpecException;
import org.junit.jupiter.api.Test;

class LevelsOfOneNumberTest {

  @Test
  void levelsThatANumberCannotTellApartAreRejected() {
    String text = withLevels("1.1", "1.10");
    SpecException refused = assertThrows(SpecException.class, () -> TestSpecs.compiled(text));
    assertEquals(
        "variables.X.levels: 1.10 and another way to write this number given; every number once;"
            + " where they are codes, give them a letter, like v1.10",
        refused.getMessage());
  }

  @Test
  void codesAndLongIdsAreToldApart() {
    assertNotNull(TestSpecs.compiled(withLevels("01", "1")));
    assertNotNull(TestSpecs.compiled(withLevels("1e1", "10")));
    assertNotNull(TestSpecs.compiled(withLevels("9007199254740993", "9007199254740992")));
  }

  private static String withLevels(String one, String other) {
    return TestSpecs.ucb().replace("[low, high]", "[\"%s\", \"%s\"]".formatted(one, other));
  }
}
