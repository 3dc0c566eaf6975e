package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.specs.SpecChanges;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the spec changes of a chaos run must report; without any process. */
class SpecChangesFaultTest {
  private static final List<String> NONE = List.of();

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  private static List<String> differences(int exitCode, String result) throws Exception {
    return SpecChangesFault.differences("step", exitCode, json(result), "KEPT", List.of("a", "b"));
  }

  @Test
  void everySegmentReportsTheExpectedEffect() throws Exception {
    String result =
        "{'read': true, 'refused': {}, 'rejected': {}, 'adopted':"
            + " {'a': {'effect': 'KEPT'}, 'b': {'effect': '%s'}}}";
    assertEquals(NONE, differences(0, result.formatted("KEPT")));
    assertEquals(
        List.of("step: b reports RESET, not KEPT"), differences(0, result.formatted("RESET")));
  }

  @Test
  void aSegmentThatDoesNotAnswerAndARefusalAreFound() throws Exception {
    String pending =
        "{'read': true, 'refused': {}, 'rejected': {}, 'adopted': {'a': {'effect': 'KEPT'}}}";
    assertEquals(List.of("step: b reports nothing, not KEPT"), differences(0, pending));
    String refused = "{'read': true, 'refused': {'a/1': 'why'}, 'rejected': {}, 'adopted': {}}";
    assertEquals(3, differences(1, refused).size());
  }

  /** The announced effects are those that the job's own code finds. */
  @ParameterizedTest
  @EnumSource(OfferSpec.class)
  void offersComeAndGoWithoutALossUnderEveryFamily(OfferSpec spec) {
    assertEquals("MIGRATED", effect(spec, 1, 2));
    assertEquals("KEPT", effect(spec, 2, 3));
    assertEquals("KEPT", effect(spec, 3, 2));
  }

  private static String effect(OfferSpec spec, int before, int after) {
    return SpecChanges.effect(
        TestSpecs.compiled(spec.text(before)), TestSpecs.compiled(spec.text(after)));
  }
}
