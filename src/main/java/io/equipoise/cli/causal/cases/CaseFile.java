package io.equipoise.cli.causal.cases;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.causal.GraphException;
import io.equipoise.cli.Failures;
import io.equipoise.event.TextFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of cases. */
public final class CaseFile {
  private final JsonNode cases;

  private CaseFile(JsonNode cases) {
    this.cases = cases;
  }

  /** Reads a file; rejects one that is not a list of cases. */
  public static CaseFile read(Path file) throws IOException {
    return parse(TextFile.read(file));
  }

  /** Like {@link #read}, from the text itself. */
  public static CaseFile parse(String text) {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new GraphException(
          "the file of cases is not JSON: "
              + (e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ")
              + Failures.words(e));
    }
    JsonNode cases = root.isArray() ? root : root.path("cases");
    if (!cases.isArray()) {
      throw new GraphException("the file of cases is neither a list nor has one named \"cases\"");
    }
    return new CaseFile(cases);
  }

  /** Answers every case, in order. */
  public List<CaseRow> rows() {
    List<CaseRow> rows = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      rows.add(row(cases.get(i), i));
    }
    return rows;
  }

  /**
   * A failure of one case, even an internal error, must not prevent the others. So the row reports
   * every exception.
   */
  private static CaseRow row(JsonNode node, int number) {
    String id = node.path("id").asText("case " + (number + 1));
    String task = node.path("task").asText(null);
    Object expected = plain(node.path("expected"));
    try {
      CaseResult caseResult = Tasks.answer(Case.of(node));
      return new CaseRow(id, task, caseResult.isExpected(), expected, caseResult.got(), null);
    } catch (IllegalArgumentException e) {
      return new CaseRow(id, task, false, expected, null, e.getMessage());
    } catch (RuntimeException | StackOverflowError e) {
      String message = e.getClass().getSimpleName() + ": " + e.getMessage();
      return new CaseRow(id, task, false, expected, null, message);
    }
  }

  private static Object plain(JsonNode node) {
    return new ObjectMapper().convertValue(node.isMissingNode() ? null : node, Object.class);
  }
}
