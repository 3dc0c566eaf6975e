package io.equipoise.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a JSON object from records: each component becomes a field of its name. So a document has a
 * new component of its record without a change, and a component that is redacted is null in both.
 *
 * <p>A number that is not finite becomes null. Bytes become null too: neither a ciphertext nor an
 * undecoded input gets into a document.
 */
public final class Json {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final ClassValue<Method[]> ACCESSORS =
      new ClassValue<>() {
        @Override
        protected Method[] computeValue(Class<?> type) {
          Method[] all =
              Arrays.stream(type.getRecordComponents())
                  .map(RecordComponent::getAccessor)
                  .toArray(Method[]::new);
          Arrays.stream(all).forEach(it -> it.setAccessible(true)); // the record may be private
          return all;
        }
      };

  private final ObjectNode node = NODES.objectNode();

  private Json() {}

  /** Makes an object of the components of records, empty without a record. */
  public static Json of(Record... records) {
    Json json = new Json();
    for (Record record : records) {
      for (Method accessor : ACCESSORS.get(record.getClass())) {
        try {
          json.with(accessor.getName(), accessor.invoke(record));
        } catch (IllegalAccessException | InvocationTargetException e) {
          throw new IllegalStateException("cannot read " + accessor, e);
        }
      }
    }
    return json;
  }

  /** Adds a field, or replaces it. */
  public Json with(String name, @Nullable Object value) {
    node.set(name, node(value));
    return this;
  }

  /** Removes fields. */
  public Json without(String... names) {
    node.remove(List.of(names));
    return this;
  }

  public ObjectNode node() {
    return node;
  }

  /**
   * Converts a value: an object or tree of JSON, text, number, truth value, enum, record, iterable
   * or map of these, or null.
   */
  public static JsonNode node(@Nullable Object value) {
    if (value == null || value instanceof byte[]) {
      return NODES.nullNode();
    }
    if (value instanceof JsonNode node) {
      return node;
    }
    if (value instanceof Json json) {
      return json.node;
    }
    if (value instanceof Record record) {
      return of(record).node;
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
      ArrayNode array = NODES.arrayNode();
      values.forEach(each -> array.add(node(each)));
      return array;
    }
    if (value instanceof Map<?, ?> map) {
      Json object = new Json();
      map.forEach((name, content) -> object.with(String.valueOf(name), content));
      return object.node;
    }
    return NODES.textNode(value.toString());
  }
}
