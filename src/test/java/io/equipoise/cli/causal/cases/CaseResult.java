package io.equipoise.cli.causal.cases;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the answer to a case and compares it field by field; other fields are only listed. */
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

  /** Adds a field without an expected value. */
  CaseResult add(String field, Object value) {
    got.put(field, value);
    return this;
  }

  CaseResult require(boolean isRight) {
    isExpected &= isRight;
    return this;
  }

  /** Adds a boolean field; the case must have an expected value. */
  CaseResult expect(String field, boolean value) {
    got.put(field, value);
    JsonNode node = expected.path(field);
    if (!node.isBoolean()) {
      throw new CaseException("nothing is expected of \"" + field + "\"");
    }
    return require(node.asBoolean() == value);
  }

  /** Adds a boolean field; the case may have an expected value. */
  CaseResult expectIfGiven(String field, boolean value) {
    return expected.has(field) ? expect(field, value) : add(field, value);
  }

  /** Adds a set of names; the case may have an expected value. */
  CaseResult expectNames(String field, Set<String> value) {
    got.put(field, value);
    JsonNode node = expected.path(field);
    return node.isMissingNode() ? this : require(Case.names(node).equals(value));
  }

  /** Adds sets of names, in any order; the case must have an expected value. */
  CaseResult expectSets(String field, List<Set<String>> value) {
    got.put(field, value);
    JsonNode node = expected.path(field);
    if (!node.isArray()) {
      throw new CaseException("nothing is expected of \"" + field + "\"");
    }
    return require(new HashSet<>(Case.sets(node)).equals(new HashSet<>(value)));
  }
}
