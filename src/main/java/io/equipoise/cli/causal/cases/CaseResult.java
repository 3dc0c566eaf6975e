package io.equipoise.cli.causal.cases;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gathers the answer to a case and compares it field by field; what is not expected is told. */
final class CaseResult {
  private final JsonNode expected;
  private final Map<String, Object> got = new LinkedHashMap<>();
  private boolean isExpected = true;

  CaseResult(JsonNode expected) {
    this.expected = expected;
  }

  boolean isExpected() {
    return isExpected;
  }

  Map<String, Object> got() {
    return got;
  }

  /** Adds what nothing is expected of. */
  CaseResult tell(String field, Object value) {
    got.put(field, value);
    return this;
  }

  CaseResult require(boolean isRight) {
    isExpected &= isRight;
    return this;
  }

  /** Adds a yes or no; the case must expect one. */
  CaseResult expect(String field, boolean value) {
    got.put(field, value);
    JsonNode node = expected.path(field);
    if (!node.isBoolean()) {
      throw new CaseException("nothing is expected of \"" + field + "\"");
    }
    return require(node.asBoolean() == value);
  }

  /** Adds a yes or no that the case may expect. */
  CaseResult expectIfTold(String field, boolean value) {
    return expected.has(field) ? expect(field, value) : tell(field, value);
  }

  /** Adds a set of names that the case may expect. */
  CaseResult expectNames(String field, Set<String> value) {
    got.put(field, value);
    JsonNode node = expected.path(field);
    return node.isMissingNode() ? this : require(Case.names(node).equals(value));
  }

  /** Adds sets of names that the case must expect, in any order. */
  CaseResult expectSets(String field, List<Set<String>> value) {
    got.put(field, value);
    JsonNode node = expected.path(field);
    if (!node.isArray()) {
      throw new CaseException("nothing is expected of \"" + field + "\"");
    }
    return require(new HashSet<>(Case.sets(node)).equals(new HashSet<>(value)));
  }
}
