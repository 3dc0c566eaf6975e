package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicTableTest {
  private static final Path README = Path.of("README.md");

  /** Run with {@code -Dequipoise.write-readme=true} to write the table instead of comparing it. */
  @Test
  void theReadmeHasTheTableOfTheTopics() throws Exception {
    String readme = Files.readString(README);
    String wanted = TopicTable.replaceIn(readme);
    if (Boolean.getBoolean("equipoise.write-readme")) {
      Files.writeString(README, wanted);
    } else {
      assertEquals(wanted, readme, "mvn test -Dtest=TopicTableTest -Dequipoise.write-readme=true");
    }
  }

  @Test
  void everyTopicHasARowWithItsMostSensitiveFields() {
    List<String> rows = TopicTable.markdown().lines().toList();
    assertEquals(2 + 9, rows.size());
    assertTrue(
        rows.stream().anyMatch(it -> it.startsWith("| `dead-letter` | RAW | `key`, `value` |")));
    assertTrue(rows.stream().anyMatch(it -> it.startsWith("| `specs` | NONE |")));
    assertTrue(
        rows.stream().anyMatch(it -> it.contains("`outcomes`") && it.contains("| for ever |")));
  }

  @Test
  void aTextWithoutTheMarkersIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> TopicTable.replaceIn("# Equipoise"));
    assertEquals(
        "a<!-- topics:start -->\n" + TopicTable.markdown() + "<!-- topics:end -->b",
        TopicTable.replaceIn("a<!-- topics:start -->old<!-- topics:end -->b"));
  }
}
