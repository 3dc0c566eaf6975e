package io.equipoise.console.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.causal.CausalGraph;
import io.equipoise.console.state.ChangeLog.Change;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Decision;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a segment assumes: its spec, causal graph and bounds, and when they were adopted. */
final class ModelDocument {
  private static final int MOST_TEXT = 100_000;
  private static final int MOST_LEVELS = 50;
  private static final int MOST_ROWS = 200;

  private ModelDocument() {}

  static ObjectNode of(
      SegmentHistory segment, @Nullable SegmentSpec spec, @Nullable CausalBoundSet bounds) {
    Decision newest = segment.newest();
    return Json.object(
        "policy",
        newest == null ? null : newest.policy(),
        "specName",
        spec == null ? null : spec.name(),
        "specVersion",
        newest == null ? null : newest.specVersion(),
        "specHash",
        newest == null ? null : newest.specHash(),
        "specText",
        spec == null ? null : cut(spec.text()),
        "specError",
        spec == null && newest != null
            ? "The text of this spec is not on the topic specs any more."
            : null,
        "rewardRange",
        spec == null ? null : List.of(spec.reward().range().low(), spec.reward().range().high()),
        "rewardWindowMillis",
        spec == null ? null : (Long) spec.join().rewardWindow().toMillis(),
        "graph",
        spec == null ? null : graph(spec),
        "timeline",
        segment.changeLog().changes().stream().map(ModelDocument::change).toList(),
        "bounds",
        bounds == null ? null : bounds(bounds, segment));
  }

  private static String cut(String text) {
    return text.length() <= MOST_TEXT
        ? text
        : text.substring(0, MOST_TEXT) + "\n# … cut after " + MOST_TEXT + " characters";
  }

  private static ObjectNode change(Change change) {
    SegmentEvent event = change.event();
    return Json.object(
        "time",
        change.time(),
        "eventTime",
        event.eventTime(),
        "type",
        event.type(),
        "specVersion",
        event.specVersion(),
        "specHash",
        event.specHash(),
        "boundsVersion",
        event.boundsVersion(),
        "text",
        Wording.event(event, event.eventTime()));
  }

  /** Lays the graph out in layers: each node one layer after its latest parent. */
  private static ObjectNode graph(SegmentSpec spec) {
    CausalGraph graph = spec.graph();
    Map<String, Integer> layers = new HashMap<>();
    Map<Integer, Integer> sizes = new HashMap<>();
    List<ObjectNode> nodes = new ArrayList<>();
    List<ObjectNode> edges = new ArrayList<>();
    for (String node : graph.topologicalOrder()) {
      int layer =
          graph.parents(node).stream()
              .mapToInt(it -> layers.getOrDefault(it, 0) + 1)
              .max()
              .orElse(0);
      layers.put(node, layer);
      int order = sizes.merge(layer, 1, Integer::sum) - 1;
      nodes.add(node(spec.variables(), graph, node, layer, order));
      for (String parent : graph.parents(node)) {
        edges.add(edge(parent, node, "directed"));
      }
      for (String sibling : graph.siblings(node)) {
        if (sibling.compareTo(node) < 0) {
          edges.add(edge(sibling, node, "bidirected"));
        }
      }
    }
    return Json.object("nodes", nodes, "edges", edges);
  }

  private static ObjectNode edge(String from, String to, String kind) {
    return Json.object("from", from, "to", to, "kind", kind);
  }

  private static ObjectNode node(
      Variables variables, CausalGraph graph, String name, int layer, int order) {
    SpecVariable variable = variables.has(name) ? variables.named(name) : null;
    String role =
        variable != null
            ? variable.role().name().toLowerCase(Locale.ROOT)
            : graph.latents().contains(name) ? "latent" : "other";
    return Json.object(
        "name",
        name,
        "role",
        role,
        "layer",
        layer,
        "order",
        order,
        "levels",
        variable == null ? List.of() : variable.levels().stream().limit(MOST_LEVELS).toList());
  }

  private static ObjectNode bounds(CausalBoundSet bounds, SegmentHistory segment) {
    Set<Map<String, String>> refuted = new HashSet<>();
    for (Change change : segment.changeLog().changes()) {
      RefutedBounds row = change.event().bounds();
      if (change.event().type() == SegmentEventType.BOUNDS_REFUTED && row != null) {
        refuted.add(row(String.valueOf(change.event().arm()), row.context()));
      }
    }
    return Json.object(
        "name",
        bounds.name(),
        "version",
        bounds.version(),
        "hash",
        bounds.hash(),
        "rowCount",
        bounds.rows().size(),
        "rowsLeftOut",
        Math.max(0, bounds.rows().size() - MOST_ROWS),
        "rows",
        bounds.rows().stream().limit(MOST_ROWS).map(it -> row(it, refuted)).toList());
  }

  private static ObjectNode row(CausalBound bound, Set<Map<String, String>> refuted) {
    return Json.object(
        "arm",
        bound.arm(),
        "context",
        bound.context(),
        "lower",
        bound.lower(),
        "upper",
        bound.upper(),
        "mode",
        bound.mode(),
        "refuted",
        refuted.contains(row(bound.arm(), bound.context())));
  }

  /** Names a row: its context, and its arm under a name that no variable has. */
  private static Map<String, String> row(String arm, Map<String, String> context) {
    Map<String, String> row = new HashMap<>(context);
    row.put("", arm);
    return row;
  }
}
