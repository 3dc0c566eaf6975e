package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedTextsTest {
  @Test
  void aTextThatIsPublishedLaterIsKnownWithoutARestart() {
    CompiledSpec first = SimulationSpecs.cells();
    CompiledSpec second = SimulationSpecs.ridge();
    List<SpecRegistry> reads =
        new ArrayList<>(List.of(SpecRegistry.of(first), SpecRegistry.of(second)));
    PublishedTexts texts = new PublishedTexts(() -> reads.remove(0));
    assertEquals(first, texts.byHash(first.spec().hash()));
    assertEquals(second, texts.byHash(second.spec().hash()));
    assertEquals(List.of(), reads);
    reads.add(SpecRegistry.of(second));
    assertNull(texts.byHash("0d".repeat(16)));
    assertNull(texts.byHash("0d".repeat(16)), "the topic is not read again");
  }
}
