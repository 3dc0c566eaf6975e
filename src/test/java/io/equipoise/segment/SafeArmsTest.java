package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.segmentspec.SpecException;
import org.junit.jupiter.api.Test;

class SafeArmsTest {
  private static final String SAFE = "name: d-ucb, safe: [{A: left}]";

  @Test
  void safeArmsOfAPolicyThatHasNoUseForThemAreRejected() {
    String text = withPolicy(SAFE);
    SpecException refused = assertThrows(SpecException.class, () -> TestSpecs.compiled(text));
    assertEquals(
        "policy.safe: safe arms given; none: only f-ucb falls back to arms that are known to be"
            + " fair",
        refused.getMessage());
  }

  @Test
  void fUcbTakesThem() {
    assertNotNull(TestSpecs.compiled(withPolicy(SAFE.replace("d-ucb", "f-ucb"))));
  }

  private static String withPolicy(String policy) {
    return TestSpecs.dUcb().replace("name: d-ucb", policy);
  }
}
