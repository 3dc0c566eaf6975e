package io.equipoise.policy.tabular;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.SeparatingSet;
import io.equipoise.causal.SeparatingSets;
import io.equipoise.policy.CellLayout;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the separating set W that a spec's rule asks for: (X, A) for ucb, the reward's parents for
 * c-ucb, the cheapest or a declared one for d-ucb and f-ucb (Huang et al. 2022, section 4). Every W
 * is verified by d-separation; one that leaks is refused with the features that leak.
 */
final class CellSeparators {
  private static final String PLACE = "policy.separating-set";

  private final EstimatedLaw law;
  private final CausalGraph graph;
  private final Variables variables;
  private final List<String> features = new ArrayList<>();
  private final List<String> candidates = new ArrayList<>();

  private CellSeparators(SegmentSpec spec) {
    law = EstimatedLaw.ofCells(spec);
    graph = law.graph();
    variables = spec.variables();
    variables.features().forEach(variable -> features.add(variable.name()));
    variables.actions().forEach(variable -> features.add(variable.name()));
    candidates.addAll(features);
    for (SpecVariable mediator : variables.mediators()) {
      if (graph.contains(mediator.name()) && !graph.latents().contains(mediator.name())) {
        candidates.add(mediator.name());
      }
    }
  }

  /** Returns W, or throws a {@link SpecException} that says why there is none. */
  static SeparatingSet of(SegmentSpec spec) {
    CellSeparators cellSeparators = new CellSeparators(spec);
    SeparatingRule rule = TabularSpec.of(spec).separating();
    try {
      return switch (rule) {
        case ALL -> cellSeparators.verified(rule, cellSeparators.features);
        case PARENTS ->
            cellSeparators.verified(rule, cellSeparators.parents(spec.variables().reward().name()));
        case DECLARED -> cellSeparators.verified(rule, TabularSpec.of(spec).declaredSet());
        case CHEAPEST -> cellSeparators.cheapest();
      };
    } catch (GraphException e) {
      throw new SpecException(List.of(new SpecFault("graph", rule.wire(), e.getMessage())));
    }
  }

  private List<String> parents(String reward) {
    return graph.parents(reward).stream().map(law::variable).toList();
  }

  private SeparatingSet cheapest() {
    return SeparatingSets.cheapest(
        graph, features, variables.reward().name(), candidates, this::domain);
  }

  private SeparatingSet verified(SeparatingRule rule, Collection<String> w) {
    Set<String> names = new TreeSet<>(w);
    Set<String> unobserved = new TreeSet<>(w);
    candidates.forEach(unobserved::remove);
    if (!unobserved.isEmpty()) {
      throw refused(rule, w, "these members are not observed variables: " + unobserved);
    }
    Optional<SeparatingSets.Leak> leak =
        SeparatingSets.verify(graph, features, variables.reward().name(), names);
    if (leak.isPresent()) {
      throw refused(
          rule,
          w,
          "it must shield the reward from every feature outside it, but these still bear on it: "
              + leak.get().features()
              + ", for example along "
              + leak.get().openPath());
    }
    List<String> mediators = names.stream().filter(name -> !features.contains(name)).toList();
    return new SeparatingSet(List.copyOf(names), product(names), mediators, product(mediators));
  }

  private static SpecException refused(SeparatingRule rule, Collection<String> w, String why) {
    return new SpecException(List.of(new SpecFault(PLACE, rule.wire() + " " + w, why)));
  }

  private long product(Collection<String> names) {
    long product = 1;
    for (String name : names) {
      long size = domain(name);
      product = product > Long.MAX_VALUE / size ? Long.MAX_VALUE : product * size;
    }
    return product;
  }

  private long domain(String name) {
    return CellLayout.size(variables.named(name));
  }
}
