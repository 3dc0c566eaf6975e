package io.equipoise.job.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BroadcastSpecRegistryTest {
  private static final SegmentSpec FIRST = SpecHistoryTest.spec(1);
  private static final SegmentSpec SECOND = SpecHistoryTest.spec(2);

  private final BroadcastSpecRegistry registry = new BroadcastSpecRegistry();
  private final Map<String, String> state = new HashMap<>();

  private List<SegmentSpec> active() {
    registry.replaceWith(state.entrySet());
    return registry.active().stream().map(CompiledSpec::spec).toList();
  }

  @Test
  void theHighestVersionThatIsNotRetiredIsActive() {
    state.put(FIRST.key(), FIRST.text());
    state.put(SECOND.key(), SECOND.text());
    assertEquals(List.of(SECOND), active());
    state.put(ControlState.markOf(SECOND.key()), "");
    assertEquals(List.of(FIRST), active());
    assertNotNull(registry.byHash(SECOND.hash()), "segments under it go on");
    state.put(ControlState.markOf(FIRST.key()), "");
    assertEquals(List.of(), active());
  }

  /** The state may come from a build that accepted it. */
  @Test
  void aTextThatDoesNotCompileLeavesTheOlderVersionActive() {
    state.put(FIRST.key(), FIRST.text());
    state.put("test/" + "0".repeat(32), "name: test\nversion: 9\n");
    assertEquals(List.of(FIRST), active());
    assertNull(registry.byHash("0".repeat(32)));
  }
}
