package io.equipoise.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.WireContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PersonalizerRankTest {
  private static PersonalizerRank rank(String json) throws JsonProcessingException {
    return PersonalizerRank.of(new ObjectMapper().readTree(json));
  }

  @Test
  void featuresAreFlattenedAndExcludedActionsAreNoCandidates() throws Exception {
    PersonalizerRank rank =
        rank(
            """
            {"contextFeatures": [{"timeOfDay": "morning", "none": null},
                                 {"user": {"age": 31, "home": {"lat": 47.5}, "new": true}}],
             "actions": [{"id": "a", "features": [{"price": 2}, {"taste": {"sweet": "high"}}]},
                         {"id": "b", "features": []}, {"id": "c"}],
             "excludedActions": ["b"], "eventId": "e-1", "deferActivation": true}""");
    assertEquals("e-1", rank.eventId());
    assertTrue(rank.isDeferred());
    WireContext context = rank.context("s", "e-1", Set.of(), 5, 6L);
    assertEquals(
        Map.of("timeOfDay", "morning", "user.age", 31L, "user.home.lat", 47.5, "user.new", true),
        Map.copyOf(context.attributes()));
    assertEquals(
        List.of(
            new CandidateArm("a", Map.of("price", 2L, "taste.sweet", "high")),
            new CandidateArm("c", Map.of())),
        context.candidates());
    assertEquals(List.of("a", "b", "c"), rank.actions().stream().map(CandidateArm::id).toList());
    assertEquals(6L, context.deadline());
  }

  @Test
  void exactlyTheArmsOfTheSpecAreNoCandidates() throws Exception {
    String json =
        """
        {"actions": [{"id": "b"}, {"id": "a"}], "excludedActions": []}""";
    PersonalizerRank rank = rank(json);
    assertNull(rank.eventId());
    assertFalse(rank.isDeferred());
    assertNull(rank.context("s", "e", Set.of("a", "b"), 5, null).candidates());
    assertEquals(2, rank.context("s", "e", Set.of("a", "b", "c"), 5, null).candidates().size());
    assertEquals(2, rank.context("s", "e", Set.of("a", "c"), 5, null).candidates().size());
    PersonalizerRank excluding = rank(json.replace("[]", "[\"a\"]"));
    assertEquals(1, excluding.context("s", "e", Set.of("a", "b"), 5, null).candidates().size());
    PersonalizerRank featured = rank(json.replace("\"a\"}", "\"a\", \"features\": [{\"x\": 1}]}"));
    assertEquals(2, featured.context("s", "e", Set.of("a", "b"), 5, null).candidates().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | the body is not a JSON object",
        "{} | actions is missing or empty; send at least one action",
        "{'actions': {}} | actions must be a list",
        "{'actions': [{}]} | actions[0].id is missing; give every action an id",
        "{'actions': [{'id': 1}]} | actions[0].id must be a text",
        "{'actions': [{'id': 'a'}, {'id': 'a'}]} | actions[1].id is a again; give every action an"
            + " id of its own",
        "{'actions': [{'id': 'a'}], 'excludedActions': ['b']} | excludedActions has \"b\"; name ids"
            + " of actions",
        "{'actions': [{'id': 'a'}], 'excludedActions': ['a']} | excludedActions has all actions;"
            + " leave at least one",
        "{'actions': [{'id': 'a', 'features': [1]}]} | actions[0].features[0] must be an object of"
            + " features",
        "{'actions': [{'id': 'a'}], 'contextFeatures': [{'x': [1]}]} | contextFeatures[0].x must be"
            + " a text, a finite number, true, false or null; send lists as features",
        "{'actions': [{'id': 'a'}], 'contextFeatures': [{'n': {'x': 1}}, {'n.x': 2}]} |"
            + " contextFeatures[1].n.x: two features get the name n.x; rename one",
        "{'actions': [{'id': 'a'}], 'deferActivation': 'yes'} | deferActivation must be true or"
            + " false",
        "{'actions': [{'id': 'a'}], 'eventId': 7} | eventId must be a text"
      },
      quoteCharacter = '`')
  void aBodyThatIsNoRankNamesThePlace(String json, String message) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> rank(json.replace('\'', '"')));
    assertEquals(message, thrown.getMessage());
  }

  @Test
  void deepNamespacesAreRefused() {
    String deep = "{\"n\":".repeat(9) + "1" + "}".repeat(9);
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> rank("{\"actions\": [{\"id\": \"a\"}], \"contextFeatures\": [" + deep + "]}"));
    assertTrue(String.valueOf(thrown.getMessage()).endsWith("deeper than 8 namespaces"));
  }
}
