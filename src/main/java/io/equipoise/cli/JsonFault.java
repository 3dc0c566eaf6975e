package io.equipoise.cli;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DatabindException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Explains where and why Equipoise cannot read a text as JSON. Jackson's own messages speak of its
 * classes and settings, and change between its versions: only their beginnings are looked at.
 */
public final class JsonFault {
  /** Beginnings of Jackson's messages, and their meaning; everything else is {@link #OTHER}. */
  private static final List<Map.Entry<String, String>> KINDS =
      List.of(
          Map.entry("Document nesting depth", "nested too deeply"),
          Map.entry("Number value length", "a number with too many digits"),
          Map.entry("Non-standard token", "a number that JSON does not have"),
          Map.entry("Invalid numeric value", "a number that JSON does not have"),
          Map.entry("Unexpected character ('+'", "a number that JSON does not have"),
          Map.entry("Duplicate field", "a key that the object already has"));

  private static final String OTHER = "not JSON";

  private JsonFault() {}

  /** Returns line, column and kind of an error, such as {@code line 1, column 7: not JSON}. */
  public static String words(JsonProcessingException error) {
    return words(error, null);
  }

  /**
   * Returns line, column and kind of an error.
   *
   * @param end where the parser stopped, for errors of limits, which have no place; null if unknown
   */
  public static String words(JsonProcessingException error, @Nullable JsonLocation end) {
    JsonLocation place = error.getLocation() == null ? end : error.getLocation();
    return place == null
        ? kind(error)
        : "line %d, column %d: %s".formatted(place.getLineNr(), place.getColumnNr(), kind(error));
  }

  private static String kind(JsonProcessingException error) {
    if (error instanceof JsonEOFException) {
      return "the text ends too early";
    }
    if (error instanceof DatabindException) {
      return "a field that is missing, unknown or of another type";
    }
    String message = error.getOriginalMessage();
    String other = error instanceof StreamConstraintsException ? "too long" : OTHER;
    return KINDS.stream()
        .filter(kind -> message.startsWith(kind.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(other);
  }
}
