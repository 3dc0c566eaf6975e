package io.equipoise.cli.causal.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphBuilder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One case with the fields that all tasks share. */
record Case(String task, CausalGraph graph, JsonNode query, JsonNode expected, JsonNode numeric) {
  static Case of(JsonNode node) {
    if (!node.path("task").isTextual()) {
      throw new CaseException("the case has no task");
    }
    if (!node.path("expected").isObject()) {
      throw new CaseException("the case has no object \"expected\"");
    }
    return new Case(
        node.path("task").asText(),
        graph(node.path("graph")),
        node.path("query"),
        node.path("expected"),
        node.path("numeric"));
  }

  /** Returns the names in a field: a list, a single name, or the names of an object. */
  Set<String> names(String field) {
    return names(query.path(field));
  }

  /** Like {@link #names(String)}, but the field is required and must not be empty. */
  Set<String> required(String field) {
    Set<String> names = names(field);
    if (names.isEmpty()) {
      throw new CaseException("the query has no \"" + field + "\"");
    }
    return names;
  }

  static Set<String> names(JsonNode node) {
    Set<String> names = new LinkedHashSet<>();
    if (node.isTextual()) {
      names.add(node.asText());
    } else if (node.isObject()) {
      node.fieldNames().forEachRemaining(names::add);
    } else if (node.isArray()) {
      for (JsonNode name : node) {
        if (!name.isTextual()) {
          throw new CaseException("expected a name, got " + name);
        }
        names.add(name.asText());
      }
    } else if (!node.isMissingNode() && !node.isNull()) {
      throw new CaseException("expected names, got " + node);
    }
    return names;
  }

  /** Returns a list of sets. */
  static List<Set<String>> sets(JsonNode node) {
    List<Set<String>> sets = new ArrayList<>();
    node.forEach(set -> sets.add(names(set)));
    return sets;
  }

  private static CausalGraph graph(JsonNode node) {
    if (!node.path("nodes").isArray()) {
      throw new CaseException("the graph has no list of nodes");
    }
    Set<String> nodes = names(node.path("nodes"));
    if (nodes.size() < node.path("nodes").size()) {
      throw new CaseException("a node is declared twice in " + node.path("nodes"));
    }
    Set<String> latent = names(node.path("latent"));
    Set<String> selection = names(node.path("selection"));
    if (selection.size() > 1) {
      throw new CaseException("more than one selection node: " + selection);
    }
    nodes.addAll(latent);
    nodes.addAll(selection);
    GraphBuilder builder = CausalGraph.builder();
    for (String name : nodes) {
      if (selection.contains(name)) {
        builder.selection(name);
      } else if (latent.contains(name)) {
        builder.latent(name);
      } else {
        builder.node(name);
      }
    }
    node.path("directed").forEach(edge -> builder.directed(end(edge, 0), end(edge, 1)));
    node.path("bidirected").forEach(edge -> builder.bidirected(end(edge, 0), end(edge, 1)));
    return builder.build();
  }

  private static String end(JsonNode edge, int place) {
    if (edge.size() != 2 || !edge.path(place).isTextual()) {
      throw new CaseException("an edge is two names, got " + edge);
    }
    return edge.get(place).asText();
  }
}
