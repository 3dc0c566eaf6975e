package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Docs;
import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.job.options.OptionTable;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class ConsoleOptionsTest {
  /** Run with {@code -Dequipoise.write-docs=true} to write the table instead of comparing it. */
  @Test
  void theReferenceHasTheTableOfTheOptions() throws Exception {
    Docs.assertGenerated(
        "docs/reference/options.md",
        ConsoleOptionsTest.class,
        page -> OptionTable.replaceIn(page, "console", ConsoleSettings.options()));
  }

  @Test
  void anUnknownOptionIsRefusedWithTheOneThatWasMeant() {
    Configuration given =
        Configuration.fromMap(
            Map.of(
                "equipoise.deployment", "shop",
                "kafka.bootstrap.servers", "localhost:9092",
                "console.histroy", "2 h",
                "console.flink-rest", "localhost"));
    var refused = assertThrows(InvalidOptionsException.class, () -> ConsoleSettings.from(given));
    assertEquals(2, refused.faults().size(), refused::getMessage);
    assertTrue(
        refused
            .getMessage()
            .contains(
                "console.histroy: given an unknown option;"
                    + " allowed: the options of docs/reference/options.md; did you mean console.history?"),
        refused::getMessage);
  }
}
