package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.equipoise.policy.SeededRandom.Purpose;
import org.junit.jupiter.api.Test;

class SeededRandomTest {
  // Computed apart, with hashlib.
  private static final double GOLDEN_TIE = 0.2500186911589808;
  private static final double GOLDEN_URN = 0.6765968145338636;

  @Test
  void drawsAreGolden() {
    SeededRandom seededRandom = new SeededRandom(7, "email", "d-1");
    assertEquals(GOLDEN_TIE, seededRandom.uniform(Purpose.TIE));
    assertEquals(GOLDEN_URN, seededRandom.uniform(Purpose.URN));
  }

  @Test
  void everyPartOfTheKeyMatters() {
    double base = new SeededRandom(7, "ab", "c").uniform(Purpose.TIE);
    assertNotEquals(base, new SeededRandom(8, "ab", "c").uniform(Purpose.TIE));
    assertNotEquals(base, new SeededRandom(7, "a", "bc").uniform(Purpose.TIE));
    assertNotEquals(base, new SeededRandom(7, "ab", "d").uniform(Purpose.TIE));
    assertNotEquals(base, new SeededRandom(7, "ab", "c").uniform(Purpose.EXPLORE));
    assertEquals(base, new SeededRandom(7, "ab", "c").uniform(Purpose.TIE));
  }

  @Test
  void drawsAreUniform() {
    int draws = 20_000;
    int[] tenths = new int[10];
    for (int i = 0; i < draws; i++) {
      tenths[(int) (10 * new SeededRandom(1, "s", "id-" + i).uniform(Purpose.TIE))]++;
    }
    double chiSquare = 0;
    for (int count : tenths) {
      chiSquare += (count - draws / 10.0) * (count - draws / 10.0) / (draws / 10.0);
    }
    assertEquals(0, chiSquare, 27.9, "chi-square with 9 degrees of freedom, 0.1 % critical value");
  }
}
