package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionTableTest {
  private static final Path README = Path.of("README.md");

  /** Run with {@code -Dequipoise.write-readme=true} to write the table instead of comparing it. */
  @Test
  void theReadmeHasTheTableOfTheOptions() throws Exception {
    var readme = Files.readString(README);
    var wanted = OptionTable.replaceIn(readme);
    if (Boolean.getBoolean("equipoise.write-readme")) {
      Files.writeString(README, wanted);
    } else {
      assertEquals(wanted, readme, "mvn test -Dtest=OptionTableTest -Dequipoise.write-readme=true");
    }
  }

  @Test
  void rowsComeInTheOrderOfDeclarationWithReadableDefaults() {
    var rows = OptionTable.markdown().lines().toList();
    assertEquals("| option | default | what it does |", rows.get(0));
    assertTrue(rows.get(2).startsWith("| `equipoise.deployment` | none | Name"), rows.get(2));
    assertTrue(rows.get(3).startsWith("| `equipoise.delivery` | `exactly-once` |"), rows.get(3));
    assertTrue(
        rows.stream()
            .anyMatch(row -> row.startsWith("| `equipoise.time.allowed-skew` | `10 min` |")));
  }

  @Test
  void everyOptionHasADescription() {
    for (var row : OptionTable.markdown().lines().toList()) {
      assertTrue(row.matches("\\| .+ \\| .+ \\| .+ \\|"), row);
    }
  }

  @Test
  void aTextWithoutTheMarkersIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> OptionTable.replaceIn("# Equipoise"));
  }
}
