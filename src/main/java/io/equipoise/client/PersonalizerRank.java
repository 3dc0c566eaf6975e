package io.equipoise.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.WireContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates a rank request of Azure Personalizer, version 1.0, into a context.
 *
 * <p>Features become attributes. A feature of a namespace becomes {@code namespace.feature}, at any
 * depth; a plain feature keeps its name. Null features are left out. Lists and a name that two
 * features get are errors.
 *
 * <p>Actions without the excluded ones become candidates. If they are exactly the arms of the spec,
 * in any order, and have no features, the context brings no candidates: every policy accepts that.
 *
 * @param eventId the decision id; null if the caller leaves it to the server
 * @param actions ids and features in the order of the request, with the excluded ones
 * @param excluded ids of actions that are not ranked
 * @param isDeferred whether the caller announces an activation
 */
public record PersonalizerRank(
    @Nullable String eventId,
    Map<String, Object> attributes,
    List<CandidateArm> actions,
    Set<String> excluded,
    boolean isDeferred) {
  private static final int MAX_DEPTH = 8;

  public PersonalizerRank {
    attributes = Map.copyOf(attributes);
    actions = List.copyOf(actions);
    excluded = Set.copyOf(excluded);
  }

  /**
   * Reads the body of a rank request.
   *
   * @throws IllegalArgumentException if it is none; the message names the place
   */
  public static PersonalizerRank of(JsonNode body) {
    if (!body.isObject()) {
      throw new IllegalArgumentException("the body is not a JSON object");
    }
    Set<String> ids = new LinkedHashSet<>();
    List<CandidateArm> actions = new ArrayList<>();
    for (JsonNode action : list(body, "actions")) {
      String place = "actions[" + actions.size() + "]";
      String id = text(action, "id", place + ".id");
      if (id == null) {
        throw new IllegalArgumentException(place + ".id is missing; give every action an id");
      }
      if (!ids.add(id)) {
        throw new IllegalArgumentException(
            place + ".id is " + id + " again; give every action an id of its own");
      }
      actions.add(new CandidateArm(id, features(action, "features", place + ".features")));
    }
    if (actions.isEmpty()) {
      throw new IllegalArgumentException("actions is missing or empty; send at least one action");
    }
    Set<String> excluded = new HashSet<>();
    for (JsonNode id : list(body, "excludedActions")) {
      if (!id.isTextual() || !ids.contains(id.textValue())) {
        throw new IllegalArgumentException(
            "excludedActions has %s; name ids of actions".formatted(id));
      }
      excluded.add(id.textValue());
    }
    if (excluded.size() == actions.size()) {
      throw new IllegalArgumentException("excludedActions has all actions; leave at least one");
    }
    JsonNode deferred = body.path("deferActivation");
    if (!deferred.isMissingNode() && !deferred.isNull() && !deferred.isBoolean()) {
      throw new IllegalArgumentException("deferActivation must be true or false");
    }
    return new PersonalizerRank(
        text(body, "eventId", "eventId"),
        features(body, "contextFeatures", "contextFeatures"),
        actions,
        excluded,
        deferred.asBoolean());
  }

  /** Returns the actions that may be chosen, in the order of the request. */
  public List<CandidateArm> ranked() {
    return actions.stream().filter(action -> !excluded.contains(action.id())).toList();
  }

  /**
   * Returns the context that asks for the decision.
   *
   * @param decisionId the event id, or the one that the server made
   * @param specArms arms of the segment's spec; empty if unknown
   * @param eventTime epoch ms
   * @param deadline epoch ms; null for none
   */
  public WireContext context(
      String segment,
      String decisionId,
      Set<String> specArms,
      long eventTime,
      @Nullable Long deadline) {
    List<CandidateArm> ranked = ranked();
    boolean isAllOfTheSpec =
        ranked.size() == specArms.size()
            && ranked.stream()
                .allMatch(arm -> arm.attributes().isEmpty() && specArms.contains(arm.id()));
    return new WireContext(
        decisionId, segment, eventTime, attributes, isAllOfTheSpec ? null : ranked, deadline);
  }

  private static Iterable<JsonNode> list(JsonNode object, String name) {
    JsonNode list = object.path(name);
    if (list.isMissingNode() || list.isNull()) {
      return List.of();
    }
    if (!list.isArray()) {
      throw new IllegalArgumentException(name + " must be a list");
    }
    return list;
  }

  private static @Nullable String text(JsonNode object, String name, String place) {
    JsonNode text = object.path(name);
    if (text.isMissingNode() || text.isNull()) {
      return null;
    }
    if (!text.isTextual()) {
      throw new IllegalArgumentException(place + " must be a text");
    }
    return text.textValue();
  }

  private static Map<String, Object> features(JsonNode object, String name, String place) {
    Map<String, Object> features = new LinkedHashMap<>();
    int at = 0;
    for (JsonNode group : list(object, name)) {
      if (!group.isObject()) {
        throw new IllegalArgumentException(place + "[" + at + "] must be an object of features");
      }
      flatten(group, "", place + "[" + at++ + "]", 0, features);
    }
    return features;
  }

  private static void flatten(
      JsonNode group, String prefix, String place, int depth, Map<String, Object> features) {
    if (depth == MAX_DEPTH) {
      throw new IllegalArgumentException(
          place + " is nested deeper than " + MAX_DEPTH + " namespaces");
    }
    for (Map.Entry<String, JsonNode> feature : group.properties()) {
      String name = prefix + feature.getKey();
      String here = place + "." + feature.getKey();
      JsonNode value = feature.getValue();
      if (value.isObject()) {
        flatten(value, name + ".", here, depth + 1, features);
      } else if (!value.isNull() && features.put(name, value(value, here)) != null) {
        throw new IllegalArgumentException(
            "%s: two features get the name %s; rename one".formatted(here, name));
      }
    }
  }

  private static Object value(JsonNode value, String place) {
    if (value.isTextual()) {
      return value.textValue();
    }
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    }
    if (value.isNumber() && Double.isFinite(value.doubleValue())) {
      return value.doubleValue();
    }
    throw new IllegalArgumentException(
        place + " must be a text, a finite number, true, false or null; send lists as features");
  }
}
