package io.equipoise.segmentspec;

import io.equipoise.segmentspec.KeyType.Bounds;
import io.equipoise.segmentspec.PolicySections.FamilyKeys;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Generates the JSON Schema (draft 2020-12) of segment specs, for editors. It accepts every spec
 * that the reader accepts, unless numbers are in quotes. Only the reader checks rules that no
 * schema can express, such as that a graph has every variable.
 */
public final class SpecSchema {
  /** A text may be written without quotes, and then look like a number or a flag. */
  private static final List<String> SCALAR = List.of("string", "number", "boolean");

  private static final String NAME = "name";

  private final SpecKeys table;
  private final String prefix;
  private final List<String> policies;

  private SpecSchema(SpecKeys table, String prefix, List<String> policies) {
    this.table = table;
    this.prefix = prefix;
    this.policies = policies;
  }

  /** Returns the schema with the policies of all families on the class path. */
  public static Map<String, Object> installed() {
    return of(PolicyReader.installed().families());
  }

  /** Returns the schema as maps, lists, texts, numbers and booleans. */
  static Map<String, Object> of(List<FamilyKeys> families) {
    Map<String, Object> definitions = new LinkedHashMap<>();
    new SpecSchema(SpecKeys.core(), "", List.of()).define(definitions);
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Equipoise segment spec");
    schema.put("$ref", "#/$defs/spec");
    schema.put("$defs", definitions);
    List<Object> byName = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (FamilyKeys family : families) {
      SpecSchema own = new SpecSchema(family.keys(), family.family() + ".", family.policies());
      byName.add(when(family.policies(), own.reference(SpecKeys.POLICY)));
      names.addAll(family.policies());
      own.define(definitions);
    }
    Map<String, Object> policy = new LinkedHashMap<>();
    policy.put("properties", Map.of(NAME, Map.of("enum", names)));
    policy.put("required", List.of(NAME));
    policy.put("allOf", byName);
    definitions.put(SpecKeys.POLICY, policy);
    return schema;
  }

  private void define(Map<String, Object> definitions) {
    table.sections().forEach(keys -> definitions.put(definition(keys.section()), section(keys)));
  }

  /** Returns the name of a definition, without characters that a reference cannot have. */
  private String definition(String section) {
    return (table.has(section) ? prefix : "") + section.replaceAll("[^A-Za-z0-9.-]", "");
  }

  private Map<String, Object> reference(String section) {
    return Map.of("$ref", "#/$defs/" + definition(section));
  }

  private static Map<String, Object> when(List<String> policies, Map<String, Object> then) {
    Map<String, Object> condition = new LinkedHashMap<>();
    condition.put("if", Map.of("properties", Map.of(NAME, Map.of("enum", policies))));
    condition.put("then", then);
    return condition;
  }

  private Map<String, Object> section(SpecKeys.Keys keys) {
    Map<String, Object> properties = new LinkedHashMap<>();
    Object others = false;
    List<String> required = new ArrayList<>();
    List<Object> byPolicy = new ArrayList<>();
    for (SpecKey row : keys.rows().values()) {
      if (row.isPlaceholder()) {
        others = anyOf(row.types());
      } else if (!row.isRejected()) {
        properties.put(row.name(), property(row));
        if (row.only().isEmpty() && row.isRequired("")) {
          required.add(row.name());
        } else if (keys.section().equals(SpecKeys.POLICY)) {
          byPolicy(row, byPolicy);
        }
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("additionalProperties", others);
    if (keys.isOneKey()) {
      schema.put("minProperties", 1);
      schema.put("maxProperties", 1);
    }
    putUnlessEmpty(schema, "required", required);
    putUnlessEmpty(schema, "allOf", byPolicy);
    return schema;
  }

  /** Adds conditions for a key whose rules depend on the policy. */
  private void byPolicy(SpecKey row, List<Object> conditions) {
    List<String> without = policies.stream().filter(it -> !row.isOf(it)).toList();
    if (!without.isEmpty()) {
      conditions.add(when(without, Map.of("properties", Map.of(row.name(), false))));
    }
    List<String> needing =
        policies.stream().filter(it -> row.isRequired(it) && row.isOf(it)).toList();
    if (!needing.isEmpty()) {
      conditions.add(when(needing, Map.of("required", List.of(row.name()))));
    }
  }

  private static void putUnlessEmpty(Map<String, Object> schema, String key, List<?> values) {
    if (!values.isEmpty()) {
      schema.put(key, values);
    }
  }

  private Map<String, Object> property(SpecKey row) {
    Map<String, Object> schema = new LinkedHashMap<>(anyOf(row.types()));
    if (row.name().equals(NAME) && !policies.isEmpty()) {
      schema.put("enum", policies);
    }
    schema.put("description", row.meaning());
    String literal = row.literal();
    if (literal != null) {
      boolean isNumber = literal.matches("[-+0-9.eE]+");
      boolean isFlag = literal.equals("true") || literal.equals("false");
      schema.put("default", isNumber ? number(literal) : isFlag ? literal.equals("true") : literal);
    }
    return schema;
  }

  private Map<String, Object> anyOf(List<KeyType> types) {
    return types.size() == 1
        ? one(types.get(0))
        : Map.of("anyOf", types.stream().map(this::one).toList());
  }

  private Map<String, Object> one(KeyType type) {
    Map<String, Object> schema = new LinkedHashMap<>();
    switch (type.kind()) {
      case TEXT -> bounded(schema, SCALAR, type.bounds(), "Length");
      case NAME -> {
        schema.put("type", SCALAR);
        schema.put("pattern", "^" + Field.NAME.pattern() + "$");
      }
      case NUMBER -> within(schema, "number", type.bounds());
      case WHOLE -> within(schema, "integer", type.bounds());
      case FLAG -> schema.put("type", "boolean");
      case DURATION -> {
        schema.put("type", "string");
        schema.put("pattern", "^" + Field.DURATION.pattern() + "$");
      }
      case RANGE -> {
        bounded(schema, "array", new Bounds("2", false, "2", false), "Items");
        Map<String, Object> end = new LinkedHashMap<>();
        within(end, "number", type.bounds());
        schema.put("items", end);
      }
      case WORD -> schema.put("enum", type.words());
      case LIST -> {
        bounded(schema, "array", type.bounds(), "Items");
        schema.put("items", anyOf(type.of()));
      }
      case MAP -> {
        bounded(schema, "object", type.bounds(), "Properties");
        schema.put("additionalProperties", anyOf(type.of()));
      }
      case SECTION -> schema.putAll(reference(type.section()));
      case REJECTED -> schema.put("not", Map.of());
    }
    return schema;
  }

  private static void bounded(
      Map<String, Object> schema, Object type, @Nullable Bounds size, String what) {
    schema.put("type", type);
    if (size != null) {
      schema.put("min" + what, number(size.low()));
      if (!size.isUnlimited()) {
        schema.put("max" + what, number(size.high()));
      }
    }
  }

  private static void within(Map<String, Object> schema, String type, @Nullable Bounds bounds) {
    schema.put("type", type);
    if (bounds != null) {
      schema.put(bounds.isLowOpen() ? "exclusiveMinimum" : "minimum", number(bounds.low()));
      if (!bounds.isUnlimited()) {
        schema.put(bounds.isHighOpen() ? "exclusiveMaximum" : "maximum", number(bounds.high()));
      }
    }
  }

  private static Number number(String text) {
    BigDecimal number = new BigDecimal(text);
    return number.stripTrailingZeros().scale() <= 0 ? number.toBigInteger() : number;
  }
}
