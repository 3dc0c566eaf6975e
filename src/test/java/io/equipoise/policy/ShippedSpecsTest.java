package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.policy.logistic.LogisticSpec;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShippedSpecsTest {
  @Test
  void everyShippedTabularSpecCompilesToItsSeparatingSet() {
    Map<String, List<String>> wanted =
        Map.of(
            "email-ucb", List.of("A1", "A2", "A3", "X1", "X2", "X3"),
            "email-c-ucb", List.of("A3", "I1", "I2", "I3"),
            "email-d-ucb", List.of("A3", "I1", "I2"),
            "email-f-ucb", List.of("A3", "I1", "I2"));
    int compiled = 0;
    for (SegmentSpec spec : SpecFiles.load(Path.of("flink-conf", "specs"))) {
      if (spec.policy().family() instanceof LogisticSpec) {
        continue;
      }
      TabularPolicy bandit = TabularPolicy.compile(spec);
      if (wanted.containsKey(spec.name())) {
        assertEquals(wanted.get(spec.name()), bandit.separatingSet().variables());
        compiled++;
      }
      int[] nobodyTold = {2, 1, 1};
      Choice choice =
          bandit.choose(new MemoryModelState(), nobodyTold, 1, new SeededRandom(7, "s", "d"));
      assertEquals(2, bandit.audit(new MemoryModelState(), nobodyTold, choice.arm(), 1).size());
    }
    assertEquals(4, compiled);
  }
}
