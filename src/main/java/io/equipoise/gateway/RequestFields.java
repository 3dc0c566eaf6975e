package io.equipoise.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.http.HttpCode;
import io.equipoise.http.ProblemException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object. Every error names the field and the allowed values, but never
 * the given one: values may be personal data.
 */
final class RequestFields {
  private final ObjectNode json;
  private final String place;

  /**
   * Reads an object.
   *
   * @param place of the object in the request, empty for the request itself
   * @param known names of all fields; another one is an error
   */
  RequestFields(JsonNode json, String place, Set<String> known) {
    if (!(json instanceof ObjectNode object)) {
      throw refused(place.isEmpty() ? "the body" : place, "an object is required");
    }
    this.json = object;
    this.place = place.isEmpty() ? "" : place + ".";
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw refused(
            this.place + brief(name),
            "unknown field; allowed are " + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  String text(String name) {
    String text = optionalText(name);
    if (text == null) {
      throw refused(place + name, "a string is required");
    }
    return text;
  }

  /** Returns a text, or null if the field is absent or null. */
  @Nullable String optionalText(String name) {
    JsonNode value = json.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual()) {
      throw refused(place + name, "a string is required");
    }
    return value.textValue();
  }

  /** Returns a required number; it may be infinite if the text is beyond the range of doubles. */
  double number(String name) {
    JsonNode value = json.path(name);
    if (!value.isNumber()) {
      throw refused(place + name, "a number is required");
    }
    return value.doubleValue();
  }

  /** Returns a flag; false if the field is absent or null. */
  boolean flag(String name) {
    JsonNode value = json.path(name);
    if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
      throw refused(place + name, "true or false is required");
    }
    return value.booleanValue();
  }

  /** Returns a whole number, or a default if the field is absent. */
  long whole(String name, long standard, long least, long most) {
    JsonNode value = json.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return standard;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < least
        || value.longValue() > most) {
      throw refused(
          place + name, "a whole number from %d to %d is required".formatted(least, most));
    }
    return value.longValue();
  }

  /** Returns a time in epoch ms, given as such or as ISO 8601 with an offset. */
  long time(String name, long standard) {
    JsonNode value = json.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return standard;
    }
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    }
    if (value.isTextual()) {
      try {
        Instant time = OffsetDateTime.parse(value.textValue()).toInstant();
        return time.toEpochMilli();
      } catch (DateTimeParseException | ArithmeticException e) {
        // reported below
      }
    }
    throw refused(
        place + name, "milliseconds since 1970, or a time like 2026-01-31T12:00:00Z, is required");
  }

  /** Returns attributes by name: strings, numbers and booleans; null ones are left out. */
  Map<String, Object> attributes(String name) {
    JsonNode values = json.path(name);
    Map<String, Object> attributes = new HashMap<>();
    if (values.isMissingNode() || values.isNull()) {
      return attributes;
    }
    if (!values.isObject()) {
      throw refused(place + name, "an object is required");
    }
    for (Map.Entry<String, JsonNode> entry : values.properties()) {
      JsonNode value = entry.getValue();
      if (value.isTextual()) {
        attributes.put(entry.getKey(), value.textValue());
      } else if (value.isIntegralNumber() && value.canConvertToLong()) {
        attributes.put(entry.getKey(), value.longValue());
      } else if (value.isNumber()) {
        attributes.put(entry.getKey(), value.doubleValue());
      } else if (value.isBoolean()) {
        attributes.put(entry.getKey(), value.booleanValue());
      } else if (!value.isNull()) {
        throw refused(
            place + name + "." + brief(entry.getKey()),
            "a string, number, boolean or null is required");
      }
    }
    return attributes;
  }

  /** Returns the elements of an array, or null if the field is absent or null. */
  @Nullable List<JsonNode> list(String name) {
    JsonNode values = json.path(name);
    if (values.isMissingNode() || values.isNull()) {
      return null;
    }
    if (!values.isArray()) {
      throw refused(place + name, "an array is required");
    }
    List<JsonNode> list = new ArrayList<>();
    values.forEach(list::add);
    return list;
  }

  private static String brief(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64) + "...";
  }

  static ProblemException refused(String place, String allowed) {
    return new ProblemException(HttpCode.INVALID_REQUEST, place + ": " + allowed);
  }
}
