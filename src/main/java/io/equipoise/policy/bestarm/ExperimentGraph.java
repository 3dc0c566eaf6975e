package io.equipoise.policy.bestarm;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds in a spec's graph what a search needs: S, the one sensitive variable, a root with two
 * levels; V, the one child of all actions, a mediator; and no hidden common cause of what an arm or
 * S sets. Says what is missing where it does not find it.
 */
final class ExperimentGraph {
  private static final String PLACE = "graph";

  private final SegmentSpec spec;
  private final CausalGraph graph;
  final List<SpecFault> faults = new ArrayList<>();

  ExperimentGraph(SegmentSpec spec) {
    this.spec = spec;
    graph = spec.graph().projected();
    requireSensitive();
    requireIntervened();
    if (sensitives().size() == 1) {
      if (hasIntervened()) {
        requireParentsOfIntervened();
      }
      requireChildrenOfSensitive();
    }
    requireBins();
  }

  /** Weights and cells know the bin of a number, so what acts on the reward must be the bin. */
  private void requireBins() {
    EstimatedLaw law = EstimatedLaw.ofCells(spec);
    for (String cause : spec.graph().ancestors(List.of(spec.variables().reward().name()))) {
      boolean isInPart = !law.itself(cause).equals(cause);
      if (isInPart && isHeld(spec.variables().named(cause))) {
        fault(
            "variables." + cause,
            "a number that acts on the reward, of which a search counts the bin",
            "acts-by: bin, if the reward and mediators depend on the bin of " + cause + " alone");
      }
    }
  }

  private static boolean isHeld(SpecVariable variable) {
    return variable.role() != VariableRole.SENSITIVE && !variable.actsByBin();
  }

  /** Returns whether there is a V, be there faults or not. */
  boolean hasIntervened() {
    Set<String> names = intervenedNames();
    return names.size() == 1 && intervened().role() == VariableRole.MEDIATOR;
  }

  /** Returns S; there must be one. */
  SpecVariable sensitive() {
    return sensitives().get(0);
  }

  /** Returns V; there must be one. */
  SpecVariable intervened() {
    return spec.variables().named(intervenedNames().iterator().next());
  }

  /** Returns what causes what while an arm is set: no edge into or out of an action. */
  CausalGraph withoutArms() {
    Set<String> actions = actions();
    GraphBuilder builder = CausalGraph.builder();
    for (String node : graph.nodes()) {
      if (!actions.contains(node)) {
        builder.node(node);
      }
    }
    for (String node : graph.nodes()) {
      for (String child : graph.children(node)) {
        if (!actions.contains(node) && !actions.contains(child)) {
          builder.directed(node, child);
        }
      }
    }
    return builder.build();
  }

  private List<SpecVariable> sensitives() {
    List<SpecVariable> features = spec.variables().features();
    return spec.variables().sensitive().stream().map(features::get).toList();
  }

  private Set<String> actions() {
    Set<String> names = new LinkedHashSet<>();
    spec.variables().actions().forEach(action -> names.add(action.name()));
    return names;
  }

  private Set<String> intervenedNames() {
    Set<String> names = new LinkedHashSet<>();
    actions().forEach(action -> names.addAll(graph.children(action)));
    return names;
  }

  private void fault(String place, String given, String allowed) {
    faults.add(new SpecFault(place, given, allowed));
  }

  private void requireSensitive() {
    List<SpecVariable> all = sensitives();
    if (all.size() != 1) {
      fault(
          "variables",
          all.size() + " sensitive variables",
          "one: a search compares two groups; make the others context, or run a search for each");
      return;
    }
    SpecVariable sensitive = all.get(0);
    if (sensitive.disclosedLevels() != 2) {
      fault(
          "variables." + sensitive.name() + ".levels",
          sensitive.disclosedLevels() + " levels",
          "two: a search compares the group s, the first level, with s', the second");
    }
    if (!graph.parents(sensitive.name()).isEmpty() || !graph.siblings(sensitive.name()).isEmpty()) {
      fault(
          PLACE,
          "a cause of " + sensitive.name(),
          "no parent and no hidden cause of the sensitive variable: it must be a root");
    }
  }

  private void requireIntervened() {
    Set<String> children = intervenedNames();
    for (String action : actions()) {
      if (!graph.children(action).equals(children)) {
        fault(
            PLACE,
            "the action " + action + " with the children " + graph.children(action),
            "all actions have the same one child, the variable that the arms set");
      }
      if (!graph.siblings(action).isEmpty()) {
        fault(PLACE, "a hidden cause of " + action, "none: the search itself sets the arm");
      }
    }
    if (children.size() != 1) {
      fault(
          PLACE,
          "actions with the children " + children,
          "one child, the variable V that the arms set, with the role mediator");
      return;
    }
    String name = children.iterator().next();
    if (spec.variables().named(name).role() != VariableRole.MEDIATOR) {
      fault(
          PLACE,
          "an action that acts on " + name + " itself",
          "a mediator between the two, whose distribution P(V | arm, parents) is known");
    }
    if (!graph.siblings(name).isEmpty()) {
      fault(
          PLACE,
          "a hidden common cause of " + name + " and " + graph.siblings(name),
          "none: the arm and what is known must determine its distribution");
    }
  }

  private void requireParentsOfIntervened() {
    SpecVariable sensitive = sensitive();
    for (String parent : graph.parents(intervened().name())) {
      if (parent.equals(sensitive.name())) {
        fault(
            PLACE,
            "the edge " + parent + " -> " + intervened().name(),
            "no arm may look at the sensitive variable itself");
      } else if (spec.variables().named(parent).role() == VariableRole.MEDIATOR) {
        fault(
            PLACE,
            "the edge " + parent + " -> " + intervened().name(),
            "only context variables and actions: the weight of a sample needs what is known"
                + " before");
      }
    }
  }

  /** The effect of S on the reward must go through children whose distributions can be known. */
  private void requireChildrenOfSensitive() {
    CausalGraph withoutArms = withoutArms();
    String sensitive = sensitive().name();
    String reward = spec.variables().reward().name();
    Set<String> above = withoutArms.ancestors(List.of(reward));
    for (String child : withoutArms.children(sensitive)) {
      if (!above.contains(child)) {
        continue;
      }
      if (spec.variables().named(child).role() != VariableRole.CONTEXT) {
        fault(
            PLACE,
            "the path " + sensitive + " -> " + child,
            "a context variable between " + sensitive + " and the reward on every path");
      } else if (!graph.siblings(child).isEmpty()) {
        fault(
            PLACE,
            "a hidden common cause of " + child + " and " + graph.siblings(child),
            "none: P(" + child + " | its parents) must say all of how it comes about");
      }
    }
  }
}
