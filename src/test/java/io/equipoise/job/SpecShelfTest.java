package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.join.CompiledSpec;
import io.equipoise.join.TestSpecs;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecException;
import io.equipoise.spec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpecShelfTest {

  @Test
  void aTextThatWouldNotBePublishedTodayGoesOnWhereItWas() {
    SegmentSpec spec =
        SpecParser.parse(
            TestSpecs.text(
                "d-ucb", 1, "{window: 60s}", "{range: [0, 1], default: {value: 0}}", "refuse"));
    assertThrows(SpecException.class, () -> CompiledSpec.of(spec));
    String key = SpecText.keyOf(spec.name(), spec.hash());
    SpecText.of(bytes(key), bytes(spec.text())).check(new CatalogueLimit(1 << 20));
    SpecShelf shelf = new SpecShelf();
    shelf.replaceWith(Map.of(key, spec.text()).entrySet());
    CompiledSpec inForce = shelf.select("any");
    assertNotNull(inForce);
    assertEquals(spec.hash(), inForce.spec().hash());
    assertNotNull(shelf.byHash(spec.hash()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
