package io.equipoise.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** Reads resources of the class path. */
public final class Resources {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Resources() {}

  /** Returns a JSON document. */
  public static JsonNode json(String path) {
    try {
      return JSON.readTree(text(path));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot read the resource " + path, e);
    }
  }

  /** Returns a text in UTF-8. */
  public static String text(String path) {
    try (InputStream in = Resources.class.getResourceAsStream(path)) {
      return new String(
          Objects.requireNonNull(in, () -> "no resource " + path).readAllBytes(),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the resource " + path, e);
    }
  }

  /** Returns the numbers of a JSON array. */
  public static double[] numbers(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false)
        .mapToDouble(JsonNode::asDouble)
        .toArray();
  }
}
