package io.equipoise.causal.effect;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.Separation;
import io.equipoise.causal.Subgraph;
import io.equipoise.causal.TwinNetwork;
import io.equipoise.event.GapPartKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides from a graph whether the parts of a gap between two groups mean what their names say:
 * docs/math/effect-split.md#when-a-graph-identifies-the-parts.
 *
 * <p>For every prefix W of the levels, the outcome in the world that sets the attribute and W must
 * be independent of the attribute given the confounders and the factual W. Then the mean outcome of
 * the other group, standardized over the confounders and W, is the mean that the reference would
 * have with the other attribute and its own W. The rule is sufficient.
 */
public final class GapParts {
  private GapParts() {}

  /**
   * Variables that are matched together.
   *
   * @param kind SPURIOUS of confounders, INDIRECT of mediators, POLICY of the decision
   */
  public record Level(String name, GapPartKind kind, List<String> variables) {}

  /**
   * Returns why a part is not identified; empty if all are.
   *
   * @param matched in order; confounders first, which must not descend from the attribute, while
   *     mediators must
   * @throws GraphException if names are no nodes of the graph
   */
  public static Optional<String> violation(
      CausalGraph graph, String attribute, String outcome, List<Level> matched) {
    List<Level> order = new ArrayList<>(matched);
    order.add(new Level(outcome, GapPartKind.GAP, List.of(outcome)));
    if (graph.selection().isPresent()) {
      return Optional.of(
          "the graph says that only rows with %s are in the data; the parts need all people: add the rows that are left out"
              .formatted(graph.selection().get()));
    }
    Set<String> names = new LinkedHashSet<>(List.of(attribute));
    order.forEach(it -> names.addAll(it.variables()));
    Set<String> missing = new LinkedHashSet<>(names);
    missing.removeAll(graph.nodes());
    if (!missing.isEmpty()) {
      throw new GraphException(
          "the graph has no node %s; it has %s"
              .formatted(String.join(", ", missing), String.join(", ", graph.nodes())));
    }
    names.retainAll(graph.latents());
    if (!names.isEmpty()) {
      return Optional.of(
          "the graph marks %s as latent, and the data has its values; remove the mark"
              .formatted(String.join(", ", names)));
    }
    Set<String> after = graph.descendants(List.of(attribute));
    Set<String> earlier = new LinkedHashSet<>();
    for (Level level : order) {
      for (String name : level.variables()) {
        if (level.kind() == GapPartKind.SPURIOUS && after.contains(name)) {
          return Optional.of(
              "confounder %s descends from %s; name it in --mediators".formatted(name, attribute));
        }
        if (level.kind() == GapPartKind.INDIRECT && !after.contains(name)) {
          return Optional.of(
              "mediator %s does not descend from %s; name it in --confounders"
                  .formatted(name, attribute));
        }
        Set<String> effects = graph.descendants(List.of(name));
        for (String effect : earlier) { // the part of the effect would have the cause's gap
          if (!effect.equals(name) && effects.contains(effect)) {
            return Optional.of(
                "%s descends from %s, which is matched after it or is the outcome; the parts follow the order of causes"
                    .formatted(effect, name));
          }
        }
      }
      earlier.addAll(level.variables());
    }
    Set<String> set = new LinkedHashSet<>(List.of(attribute));
    Set<String> given = new LinkedHashSet<>();
    for (Level level : order) {
      if (level.kind() != GapPartKind.SPURIOUS) {
        Optional<String> path =
            TwinNetwork.of(graph, set).openPath(outcome, Set.of(attribute), given, Set.of());
        if (path.isPresent()) {
          return Optional.of(
              "given %s, %s in the world with another %s depends on %s by %s"
                  .formatted(
                      given.isEmpty() ? "nothing" : String.join(", ", given),
                      outcome,
                      attribute,
                      attribute,
                      path.get()));
        }
        set.addAll(level.variables());
      }
      given.addAll(level.variables());
    }
    return Optional.empty();
  }

  /**
   * Returns which parts a graph says are 0, by place: of a level if its variables are independent
   * of the attribute given those before it, or of the outcome given these and the attribute; the
   * direct one, last, if the outcome is independent of the attribute given all
   * (docs/math/effect-split.md#when-a-graph-identifies-the-parts).
   *
   * @param graph that identifies the parts
   */
  public static BitSet denied(
      CausalGraph graph, String attribute, String outcome, List<Level> matched) {
    BitSet denied = new BitSet();
    Set<String> given = new LinkedHashSet<>();
    for (int part = 0; part < matched.size(); part++) {
      List<String> level = matched.get(part).variables();
      Set<String> and = new LinkedHashSet<>(given);
      and.add(attribute);
      denied.set(
          part,
          Separation.separated(graph, level, List.of(attribute), given)
              || Separation.separated(graph, level, List.of(outcome), and));
      given.addAll(level);
    }
    denied.set(
        matched.size(), Separation.separated(graph, List.of(outcome), List.of(attribute), given));
    return denied;
  }

  /**
   * Returns the variables on a directed path from the attribute to the outcome that meets no
   * matched variable, causes first: their part is in the direct one.
   *
   * @param matched whose nodes the graph may lack
   */
  public static List<String> unmatched(
      CausalGraph graph, String attribute, String outcome, List<Level> matched) {
    List<String> fixed =
        matched.stream().flatMap(it -> it.variables().stream()).filter(graph::contains).toList();
    Subgraph free = graph.whole().cutOutOf(graph.bits(fixed));
    Set<String> after = graph.named(free.descendants(graph.bits(List.of(attribute))));
    Set<String> before = graph.named(free.ancestors(graph.bits(List.of(outcome))));
    return graph.topologicalOrder().stream()
        .filter(it -> after.contains(it) && before.contains(it))
        .filter(it -> !it.equals(attribute) && !it.equals(outcome))
        .toList();
  }
}
