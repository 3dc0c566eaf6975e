package io.equipoise.causal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Decides m-separation by its definition: lists all paths and looks at every inner node. */
final class PathOracle {
  private record Step(String arrow, String node) {}

  private final CausalGraph graph;
  private final Collection<String> given;
  private final Set<String> openPaths = new TreeSet<>();

  private PathOracle(CausalGraph graph, Collection<String> given) {
    this.graph = graph;
    this.given = given;
  }

  static boolean separated(
      CausalGraph graph, Collection<String> x, Collection<String> y, Collection<String> z) {
    return openPaths(graph, x, y, z).isEmpty();
  }

  static Set<String> openPaths(
      CausalGraph graph, Collection<String> x, Collection<String> y, Collection<String> z) {
    PathOracle oracle = new PathOracle(graph, z);
    for (String start : x) {
      if (!z.contains(start)) {
        oracle.extend(new ArrayList<>(List.of(new Step("", start))), y);
      }
    }
    return oracle.openPaths;
  }

  private void extend(List<Step> path, Collection<String> y) {
    String last = path.get(path.size() - 1).node();
    if (y.contains(last) && !given.contains(last) && isOpen(path)) {
      StringBuilder text = new StringBuilder();
      path.forEach(step -> text.append(step.arrow()).append(step.node()));
      openPaths.add(text.toString());
    }
    List<Step> next = new ArrayList<>();
    graph.children(last).forEach(node -> next.add(new Step(" -> ", node)));
    graph.parents(last).forEach(node -> next.add(new Step(" <- ", node)));
    graph.siblings(last).forEach(node -> next.add(new Step(" <-> ", node)));
    for (Step step : next) {
      if (path.stream().noneMatch(before -> before.node().equals(step.node()))) {
        path.add(step);
        extend(path, y);
        path.remove(path.size() - 1);
      }
    }
  }

  private boolean isOpen(List<Step> path) {
    for (int i = 1; i + 1 < path.size(); i++) {
      boolean headBefore = path.get(i).arrow().endsWith("> ");
      boolean headBehind = path.get(i + 1).arrow().startsWith(" <");
      String node = path.get(i).node();
      boolean collider = headBefore && headBehind;
      boolean open = collider ? leadsToGiven(node) : !given.contains(node);
      if (!open) {
        return false;
      }
    }
    return true;
  }

  private boolean leadsToGiven(String node) {
    return given.contains(node) || graph.children(node).stream().anyMatch(this::leadsToGiven);
  }
}
