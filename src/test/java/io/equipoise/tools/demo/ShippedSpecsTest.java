package io.equipoise.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.SpecFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippedSpecsTest {
  private static final Path SHIPPED = Path.of("flink-conf", "specs");

  @TempDir private Path directory;

  @Test
  void theDemoPlaysTheSpecsOfTheDistribution() {
    var written = ShippedSpecs.writeTo(directory, ShippedSpecs.POLICIES, null);
    for (var spec : SpecFiles.load(SHIPPED)) {
      assertEquals(
          spec,
          written.stream().filter(it -> it.name().equals(spec.name())).findFirst().orElseThrow());
    }
    assertEquals(5, written.size());
  }

  @Test
  void tauAndNothingElseIsReplaced() {
    var shipped = SpecFiles.load(SHIPPED.resolve("email-f-ucb.yaml")).get(0);
    var changed = ShippedSpecs.writeTo(directory, List.of(TabularPolicyName.F_UCB), 0.1).get(0);
    assertEquals(0.1, changed.fairness().tau());
    assertEquals(shipped.text().replace("  tau: 0.3", "  tau: 0.1"), changed.text());
  }
}
