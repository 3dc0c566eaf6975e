package io.equipoise.job.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code check SPEC --personalizer FILE}. */
class PersonalizerPreviewTest extends CheckedSpecs {
  private static final String SPEC =
      """
      name: offers
      version: 1
      segments: default
      variables:
        user.gender: {role: sensitive, levels: [f, m]}
        income: {role: context, levels: [low, high]}
        offer: {role: action, levels: [small, large]}
        accepted: {role: reward}
      graph: "dag { {user.gender income} -> offer {user.gender income offer} -> accepted }"
      reward: {range: [0, 1]}
      policy: {name: f-ucb}
      fairness: {tau: 0.2}
      join: {reward-window: 1d, fallback: offer=small}
      """;
  private static final String RANK =
      """
      {"contextFeatures": [{"income": "low"}, {"user": {"gender": "f", "shoe": 42}}],
       "actions": [{"id": "offer=small"}, {"id": "offer=large"}], "eventId": "e-1"}""";

  private String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private JsonNode preview(String rank) throws IOException {
    return json(write("offers.yaml", SPEC), "--personalizer", write("rank.json", rank))
        .get("specs")
        .get(0)
        .get("personalizer");
  }

  @Test
  void aRequestThatFitsIsShownAsTheContext() throws Exception {
    assertEquals(
        new ObjectMapper()
            .readTree(
                """
                {"attributes": {"income": "low", "user.gender": "f", "user.shoe": 42},
                 "candidates": null, "unusedAttributes": ["user.shoe"], "fault": null}"""),
        new ObjectMapper().readTree(preview(RANK).toString()));
    assertEquals(0, run(write("offers.yaml", SPEC), "--personalizer", write("rank.json", RANK)));
    assertTrue(out.toString().contains("unusedAttributes: [user.shoe]"), out::toString);
  }

  @Test
  void aRequestThatTheJobWouldRejectNamesTheFault() throws Exception {
    String poor = preview(RANK.replace("\"low\"", "\"poor\"")).get("fault").asText();
    assertTrue(poor.startsWith("UNKNOWN_LEVEL: "), poor);
    String other = preview(RANK.replace("offer=large", "offer=huge")).get("fault").asText();
    assertTrue(other.startsWith("CANDIDATES_UNSUPPORTED: "), other);
  }

  @Test
  void aFileWithoutARequestIsAUsageError() throws Exception {
    Path file = Path.of(write("rank.json", "{\"actions\": []}"));
    assertEquals(2, run(write("offers.yaml", SPEC), "--personalizer", file.toString()));
    assertTrue(err.toString().contains(file + ": actions is missing or empty"), err::toString);
    assertEquals(2, run(write("offers.yaml", SPEC), "--personalizer", write("rank.json", "{")));
    assertTrue(
        err.toString().contains(file + ", line 1, column 2: the text ends too early"),
        err::toString);
  }
}
