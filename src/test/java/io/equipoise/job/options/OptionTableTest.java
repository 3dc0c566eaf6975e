package io.equipoise.job.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Docs;
import org.junit.jupiter.api.Test;

class OptionTableTest {
  /** Run with {@code -Dequipoise.write-docs=true} to write the table instead of comparing it. */
  @Test
  void theReferenceHasTheTableOfTheOptions() throws Exception {
    Docs.assertGenerated(
        "docs/reference/options.md", OptionTableTest.class, OptionTable::replaceIn);
  }

  @Test
  void rowsComeInTheOrderOfDeclarationWithReadableDefaults() {
    var rows = OptionTable.markdown().lines().toList();
    assertEquals("| option | default | what it does |", rows.get(0));
    assertTrue(rows.get(2).startsWith("| `equipoise.deployment` | none | Name"), rows.get(2));
    assertTrue(rows.get(3).startsWith("| `equipoise.delivery` | `exactly-once` |"), rows.get(3));
    assertTrue(
        rows.stream()
            .anyMatch(row -> row.startsWith("| `equipoise.time.max-clock-skew` | `10 min` |")));
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
