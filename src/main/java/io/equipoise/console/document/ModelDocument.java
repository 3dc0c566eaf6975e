package io.equipoise.console.document;

import io.equipoise.causal.CausalGraph;
import io.equipoise.console.state.ChangeLog.Change;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Decision;
import io.equipoise.event.Redaction;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.http.Json;
import io.equipoise.privacy.Redactor;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes the assumptions of a segment: its spec, causal graph and bounds, and when they were
 * adopted.
 */
final class ModelDocument {
  private static final int MOST_TEXT = 100_000;
  private static final int MOST_LEVELS = 50;
  private static final int MOST_ROWS = 200;

  private ModelDocument() {}

  static Json of(
      SegmentHistory segment, @Nullable SegmentSpec spec, @Nullable CausalBoundSet bounds) {
    Decision newest = segment.newest();
    return Json.of()
        .with("policy", newest == null ? null : newest.policy())
        .with("specName", spec == null ? null : spec.name())
        .with("specVersion", newest == null ? null : newest.specVersion())
        .with("specHash", newest == null ? null : newest.specHash())
        .with("specText", spec == null ? null : cut(spec.text()))
        .with(
            "specError",
            spec == null && newest != null
                ? "The text of this spec is not on the topic specs any more."
                : null)
        .with(
            "rewardRange",
            spec == null
                ? null
                : List.of(spec.reward().range().low(), spec.reward().range().high()))
        .with(
            "rewardWindowMillis",
            spec == null ? null : (Long) spec.join().rewardWindow().toMillis())
        .with("graph", spec == null ? null : graph(spec))
        .with(
            "timeline", segment.changeLog().changes().stream().map(ModelDocument::change).toList())
        .with("bounds", bounds == null ? null : bounds(bounds, segment));
  }

  private static String cut(String text) {
    return text.length() <= MOST_TEXT
        ? text
        : text.substring(0, MOST_TEXT) + "\n# … cut after " + MOST_TEXT + " characters";
  }

  private static Json change(Change change) {
    SegmentEvent event = change.event();
    return Json.of()
        .with("time", change.time())
        .with("type", event.type())
        .with("specVersion", event.versions().specVersion())
        .with("text", Wording.event(event, event.eventTime()));
  }

  private record Node(String name, String role, int layer, int order, List<String> levels) {}

  private record Edge(String from, String to, String kind) {}

  /** Lays the graph out in layers: each node one layer after its latest parent. */
  private static Json graph(SegmentSpec spec) {
    CausalGraph graph = spec.graph();
    Map<String, Integer> layers = new HashMap<>();
    Map<Integer, Integer> sizes = new HashMap<>();
    List<Node> nodes = new ArrayList<>();
    List<Edge> edges = new ArrayList<>();
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
        edges.add(new Edge(parent, node, "directed"));
      }
      for (String sibling : graph.siblings(node)) {
        if (sibling.compareTo(node) < 0) {
          edges.add(new Edge(sibling, node, "bidirected"));
        }
      }
    }
    return Json.of().with("nodes", nodes).with("edges", edges);
  }

  private static Node node(
      Variables variables, CausalGraph graph, String name, int layer, int order) {
    SpecVariable variable = variables.has(name) ? variables.named(name) : null;
    String role =
        variable != null
            ? variable.role().name().toLowerCase(Locale.ROOT)
            : graph.latents().contains(name) ? "latent" : "other";
    List<String> levels =
        variable == null ? List.of() : variable.levels().stream().limit(MOST_LEVELS).toList();
    return new Node(name, role, layer, order, levels);
  }

  private static Json bounds(CausalBoundSet bounds, SegmentHistory segment) {
    List<SegmentEvent> events =
        segment.changeLog().changes().stream()
            .map(Change::event)
            .filter(it -> bounds.hash().equals(it.versions().boundsHash()))
            .toList();
    return Json.of()
        .with("name", bounds.name())
        .with("version", bounds.version())
        .with("hash", bounds.hash())
        .with("rowCount", bounds.rows().size())
        .with("rowsLeftOut", Math.max(0, bounds.rows().size() - MOST_ROWS))
        .with("rows", bounds.rows().stream().limit(MOST_ROWS).map(it -> row(it, events)).toList());
  }

  private static Json row(CausalBound bound, List<SegmentEvent> events) {
    return Json.of(bound, bound.evidence())
        .without("set", "evidence") // the document has the set once
        .with("refuted", isRefuted(bound, events));
  }

  /**
   * Returns whether the rewards refuted a row; null if that is unknown, because a redacted record
   * may name the row, or because the adoption of the set is older than the events.
   *
   * @param events those under the set of the row
   */
  private static @Nullable Boolean isRefuted(CausalBound bound, List<SegmentEvent> events) {
    boolean isKnown = events.stream().anyMatch(it -> it.type() == SegmentEventType.BOUNDS_ADOPTED);
    for (SegmentEvent event : events) {
      RefutedBounds row = event.refutedBounds();
      if (row == null || !row.arm().equals(bound.arm())) {
        continue;
      }
      if (event.redaction() == null && row.context().equals(bound.context())) {
        return true;
      }
      isKnown &= !mayName(row.context(), event.redaction(), bound.context());
    }
    return isKnown ? false : null;
  }

  private static boolean mayName(
      Map<String, String> shown, @Nullable Redaction redaction, Map<String, String> context) {
    return shown.entrySet().stream()
        .allMatch(
            it ->
                Redactor.isDropped(redaction, it.getValue())
                    || it.getValue().equals(context.get(it.getKey())));
  }
}
