package io.equipoise.cli.causal.cases;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** A file of cases. */
public final class CaseFile {
  private final JsonNode cases;

  private CaseFile(JsonNode cases) {
    this.cases = cases;
  }

  /** Reads a list of cases, or an object with one named "cases". */
  public static CaseFile parse(String text) throws JsonProcessingException {
    JsonNode root = new ObjectMapper().readTree(text);
    return new CaseFile(root.isArray() ? root : root.path("cases"));
  }

  /** Answers every case, in order. */
  public List<CaseRow> rows() {
    List<CaseRow> rows = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      rows.add(row(cases.get(i), i));
    }
    return rows;
  }

  /** A case that cannot be answered does not prevent the others. */
  private static CaseRow row(JsonNode node, int number) {
    String id = node.path("id").asText("case " + (number + 1));
    String task = node.path("task").asText(null);
    Object expected = plain(node.path("expected"));
    try {
      CaseResult caseResult = Tasks.answer(Case.of(node));
      return new CaseRow(id, task, caseResult.isExpected(), expected, caseResult.got(), null);
    } catch (IllegalArgumentException e) {
      return new CaseRow(id, task, false, expected, null, e.getMessage());
    }
  }

  private static Object plain(JsonNode node) {
    return new ObjectMapper().convertValue(node.isMissingNode() ? null : node, Object.class);
  }
}
