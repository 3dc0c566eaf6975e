package io.equipoise.policy.tabular;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes how likely the values are that a person did not disclose, from those that they did.
 *
 * <p>With u the undisclosed values and o the disclosed ones, P(u | o) is proportional to the
 * product of P(v | parents of v) over the undisclosed variables v and over the features that are
 * children of one. So a variable that may be undisclosed, and bears on the mediators of W, needs a
 * table, and so do its children among the features; the parents in these tables must be features.
 * It is assumed that who discloses does not depend on the undisclosed value itself. Where what was
 * disclosed is impossible under the tables, all completions weigh the same.
 */
final class UndisclosedPosterior {
  private final List<SpecVariable> features;
  private final List<Factor> factors = new ArrayList<>();

  /** P(child | parents) by places in the context vector. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Factor(Cpt cpt, int child, int[] parents) {}

  /**
   * Collects the tables that {@code used} features need where they are undisclosed. Adds to {@code
   * used} what those tables speak of, and to {@code faults} the tables that are missing.
   */
  UndisclosedPosterior(
      List<SpecVariable> features,
      CausalGraph graph,
      KnownDistributions known,
      boolean[] used,
      List<SpecFault> faults) {
    this.features = List.copyOf(features);
    Map<String, Integer> places = new LinkedHashMap<>();
    for (int place = 0; place < used.length; place++) {
      places.put(features.get(place).name(), place);
    }
    boolean[] hasFactor = new boolean[used.length];
    List<Integer> open = new ArrayList<>();
    for (int place = 0; place < used.length; place++) {
      if (used[place]) {
        open.add(place);
      }
    }
    for (int next = 0; next < open.size(); next++) {
      SpecVariable variable = features.get(open.get(next));
      if (variable.undisclosed() < 0) {
        continue;
      }
      List<String> needed = new ArrayList<>(List.of(variable.name()));
      graph.children(variable.name()).stream().filter(places::containsKey).forEach(needed::add);
      for (String name : needed) {
        int place = places.get(name);
        if (hasFactor[place]) {
          continue;
        }
        hasFactor[place] = true;
        Cpt cpt = known.cpt(name).orElse(null);
        if (cpt == null
            || !cpt.parents().stream().map(Variable::name).allMatch(places::containsKey)) {
          faults.add(
              new SpecFault(
                  "distributions." + name,
                  cpt == null ? "nothing" : cpt.title(),
                  "give P("
                      + name
                      + " | features), because "
                      + variable.name()
                      + " may be undisclosed and the mediators of W depend on it; or let it be"
                      + " \"missing: reject\""));
          continue;
        }
        if (cpt.isEstimated()) {
          faults.add(
              new SpecFault(
                  "distributions." + name,
                  "counts of " + cpt.title(),
                  "rows of probabilities: who does not disclose "
                      + variable.name()
                      + " is averaged out, and that needs exact tables; or let it be \"missing:"
                      + " reject\""));
        }
        int[] parents = cpt.parents().stream().mapToInt(p -> places.get(p.name())).toArray();
        factors.add(new Factor(cpt, place, parents));
        use(place, used, open);
        for (int parent : parents) {
          use(parent, used, open);
        }
      }
    }
  }

  /** Returns the names of the features whose tables are needed. */
  List<String> tabled() {
    return factors.stream().map(factor -> factor.cpt().child().name()).toList();
  }

  private static void use(int place, boolean[] used, List<Integer> open) {
    if (!used[place]) {
      used[place] = true;
      open.add(place);
    }
  }

  /** Takes one completion of a context with its probability. */
  interface Completion {
    void accept(int[] completed, double probability);
  }

  /**
   * Visits all completions of the undisclosed ones among {@code places}, in a fixed order. {@code
   * evidence} is what is known of this person: a context that is undisclosed in the same places,
   * but may have other values elsewhere than {@code context}, namely in another world.
   */
  void complete(int[] context, int[] evidence, int[] places, Completion visitor) {
    List<int[]> completions = new ArrayList<>();
    expand(evidence.clone(), places, 0, completions);
    double[] weights = new double[completions.size()];
    double total = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = weight(completions.get(i), evidence);
      total += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      int[] completed = context.clone();
      for (int place : places) {
        if (isUndisclosed(evidence, place) && isUndisclosed(context, place)) {
          completed[place] = completions.get(i)[place];
        }
      }
      visitor.accept(completed, total > 0 ? weights[i] / total : 1.0 / weights.length);
    }
  }

  boolean isUndisclosed(int[] context, int place) {
    return context[place] == features.get(place).undisclosed();
  }

  private void expand(int[] context, int[] places, int next, List<int[]> completions) {
    if (next == places.length) {
      completions.add(context.clone());
      return;
    }
    int place = places[next];
    if (!isUndisclosed(context, place)) {
      expand(context, places, next + 1, completions);
      return;
    }
    int undisclosed = context[place];
    for (int level = 0; level < features.get(place).disclosedLevels(); level++) {
      context[place] = level;
      expand(context, places, next + 1, completions);
    }
    context[place] = undisclosed;
  }

  private double weight(int[] completed, int[] evidence) {
    double weight = 1;
    for (Factor factor : factors) {
      boolean matters = isUndisclosed(evidence, factor.child());
      int[] parentLevels = new int[factor.parents().length];
      for (int i = 0; i < parentLevels.length; i++) {
        parentLevels[i] = completed[factor.parents()[i]];
        matters |= isUndisclosed(evidence, factor.parents()[i]);
      }
      if (matters) {
        weight *= factor.cpt().probability(parentLevels, completed[factor.child()]);
      }
    }
    return weight;
  }
}
