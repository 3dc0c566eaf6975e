package io.equipoise.console.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes JSON trees of plain values. A number that is not finite becomes null. */
final class Json {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Json() {}

  /** Returns an object of names and values in turn. */
  static ObjectNode object(@Nullable Object... namesAndValues) {
    ObjectNode object = NODES.objectNode();
    for (int place = 0; place < namesAndValues.length; place += 2) {
      object.set(String.valueOf(namesAndValues[place]), of(namesAndValues[place + 1]));
    }
    return object;
  }

  /** Returns an array of values. */
  static ArrayNode array(Iterable<?> values) {
    ArrayNode array = NODES.arrayNode();
    values.forEach(value -> array.add(of(value)));
    return array;
  }

  /** Converts a node, text, number, truth value, enum, iterable or map of these, or null. */
  static JsonNode of(@Nullable Object value) {
    if (value == null) {
      return NODES.nullNode();
    }
    if (value instanceof JsonNode node) {
      return node;
    }
    if (value instanceof Double number) {
      return Double.isFinite(number) ? NODES.numberNode(number) : NODES.nullNode();
    }
    if (value instanceof Long number) {
      return NODES.numberNode(number);
    }
    if (value instanceof Integer number) {
      return NODES.numberNode(number);
    }
    if (value instanceof Boolean truth) {
      return NODES.booleanNode(truth);
    }
    if (value instanceof Iterable<?> values) {
      return array(values);
    }
    if (value instanceof Map<?, ?> map) {
      ObjectNode object = NODES.objectNode();
      map.forEach((name, content) -> object.set(String.valueOf(name), of(content)));
      return object;
    }
    return NODES.textNode(value.toString());
  }
}
