package io.equipoise.cli.causal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Questions to the causal engine with answers that are known from elsewhere. */
class CaseFileTest {
  private static final Path EXAMPLES = Path.of("src/test/resources/causal/example-cases.json");

  @Test
  void everyExampleIsAnsweredAsExpected() throws Exception {
    List<CaseRow> rows = CaseFile.parse(Files.readString(EXAMPLES)).rows();
    for (CaseRow row : rows) {
      assertTrue(row.ok(), row::toString);
      assertNull(row.error(), row::toString);
    }
    assertEquals(38, rows.size());
  }

  @Test
  void anAnswerThatIsOffIsSeen() throws Exception {
    String text = Files.readString(EXAMPLES);
    String off = text.replace("\"prob\": 0.9385491590041329", "\"prob\": 0.93854");
    assertEquals(37, CaseFile.parse(off).rows().stream().filter(CaseRow::ok).count());
  }
}
