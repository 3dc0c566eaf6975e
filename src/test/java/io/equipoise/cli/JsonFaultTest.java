package io.equipoise.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonFaultTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void aFaultHasItsPlaceAndItsKindInOurWords() {
    Map.of(
            "{\"a\": 1]",
            "line 1, column 8: not JSON",
            "{\n\"a\": }",
            "line 2, column 6: not JSON",
            "x",
            "line 1, column 2: not JSON",
            "{\"a\": \"x\ny\"}",
            "line 1, column 9: not JSON",
            "{\"a\": ",
            "line 1, column 7: the text ends too early",
            "{\"a\": \"x",
            "line 1, column 9: the text ends too early",
            "{\"a\": NaN}",
            "line 1, column 10: a number that JSON does not have",
            "{\"a\": -Infinity}",
            "line 1, column 16: a number that JSON does not have",
            "[".repeat(1001),
            "nested too deeply",
            "9".repeat(1001),
            "a number with too many digits")
        .forEach(
            (text, words) ->
                assertEquals(
                    words,
                    JsonFault.words(
                        assertThrows(
                            JsonProcessingException.class, () -> MAPPER.readTree(text), text))));
  }

  @Test
  void aFieldOfAnotherTypeIsNoFaultOfTheText() {
    var error =
        assertThrows(
            JsonProcessingException.class, () -> MAPPER.readValue("{\"a\": 1}", int[].class));
    assertEquals(
        "line 1, column 1: a field that is missing, unknown or of another type",
        JsonFault.words(error));
  }
}
