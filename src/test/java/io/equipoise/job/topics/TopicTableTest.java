package io.equipoise.job.topics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Docs;
import io.equipoise.event.Wire;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.Test;

class TopicTableTest {
  /** Run with {@code -Dequipoise.write-docs=true} to write the table instead of comparing it. */
  @Test
  void theReferenceHasTheTableOfTheTopics() throws Exception {
    Docs.assertGenerated("docs/reference/topics.md", TopicTableTest.class, TopicTable::replaceIn);
  }

  /** A client without our library finds here which header a record of each schema starts with. */
  @Test
  void theReferenceHasTheHeaderOfEverySchema() throws Exception {
    StringBuilder table = new StringBuilder("| schema | header of its records |\n| --- | --- |\n");
    for (Wire<?> wire : Wire.ALL) {
      ByteBuffer header = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
      header.put((byte) 0xC3).put((byte) 0x01);
      header.putLong(SchemaNormalization.parsingFingerprint64(wire.schema()));
      table
          .append("| `avro/%s.avsc` | `".formatted(wire.schema().getName()))
          .append(HexFormat.ofDelimiter(" ").formatHex(header.array()))
          .append("` |\n");
    }
    String start = "<!-- headers:start -->\n";
    Docs.assertGenerated(
        "docs/reference/topics.md",
        TopicTableTest.class,
        page ->
            page.substring(0, page.indexOf(start) + start.length())
                + table
                + page.substring(page.indexOf("<!-- headers:end -->")));
  }

  @Test
  void everyTopicHasARowWithItsMostSensitiveFields() {
    List<String> rows = TopicTable.markdown().lines().toList();
    assertEquals(2 + 11, rows.size());
    assertTrue(
        rows.stream()
            .anyMatch(it -> it.startsWith("| `dead-letter` | RAW | `input.key`, `input.value` |")));
    assertTrue(rows.stream().anyMatch(it -> it.startsWith("| `specs` | NONE |")));
    assertTrue(
        rows.stream()
            .anyMatch(it -> it.contains("`segment-events`") && it.contains("| forever |")));
  }

  @Test
  void aTextWithoutTheMarkersIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> TopicTable.replaceIn("# Equipoise"));
    assertEquals(
        "a<!-- topics:start -->\n" + TopicTable.markdown() + "<!-- topics:end -->b",
        TopicTable.replaceIn("a<!-- topics:start -->old<!-- topics:end -->b"));
  }
}
