package io.equipoise.policy.tabular;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.HeldQuery;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Separation;
import io.equipoise.causal.Variable;
import io.equipoise.policy.CellLayout;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.Arms;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.WorkBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds p(z | x, a), the known distribution of W's mediators under a context and an arm (Huang et
 * al. 2022, eq. 2).
 *
 * <p>It depends on few variables only: those held ones that a needed table names as a parent. So
 * one table serves all contexts that agree on them, and one row all arms that do. Tables are made
 * when first asked for and kept up to a bound; what is beyond it is recomputed each time. An
 * undisclosed feature is averaged out, see {@link UndisclosedPosterior}. Safe for use by many
 * threads.
 */
final class MediatorWeights {
  /** Bounds the numbers kept, 32 MB. */
  private static final int MAX_KEPT = 1 << 22;

  private final int mediatorCells;
  private final int[] armRow;
  private final int rows;
  private final List<int[]> rowLevels = new ArrayList<>();
  private final int[] usedPlaces;
  private final int[] usedSizes;
  private final int[] heldPlaces;
  private final int heldActions;
  private final int maxTables;
  private final UndisclosedPosterior posterior;
  private final @Nullable HeldQuery query;
  private final @Nullable DistributionError error;
  private final ConcurrentMap<Long, MediatorTable> tables = new ConcurrentHashMap<>();

  /**
   * Prepares the question; adds to {@code faults} the tables that it needs and that are missing.
   *
   * @param delta with what probability the errors of estimated tables may be larger than said
   */
  MediatorWeights(
      SegmentSpec spec, List<String> mediators, int cells, double delta, List<SpecFault> faults) {
    List<SpecVariable> features = spec.variables().features();
    List<SpecVariable> actions = spec.variables().actions();
    KnownDistributions known = spec.distributions();
    mediatorCells = cells;
    Set<String> held = new HashSet<>();
    features.forEach(variable -> held.add(variable.name()));
    actions.forEach(variable -> held.add(variable.name()));
    Set<String> tabled = new TreeSet<>(mediators);
    Set<String> relevant = parentsAmong(held, tabled, known, faults);
    heldPlaces = placesOf(features, relevant);
    int[] actionPlaces = placesOf(actions, relevant);
    heldActions = actionPlaces.length;
    boolean[] used = new boolean[features.size()];
    for (int place : heldPlaces) {
      used[place] = true;
    }
    posterior = new UndisclosedPosterior(features, spec.graph(), known, used, faults);
    tabled.addAll(posterior.tabled());
    refuseHiddenCauses(spec.graph(), tabled, faults);
    held.addAll(tabled);
    tabled.forEach(name -> refuseCoarseParents(spec, name, held, faults));
    usedPlaces = placesOf(used);
    usedSizes = new int[usedPlaces.length];
    double contexts = 1;
    for (int i = 0; i < usedPlaces.length; i++) {
      usedSizes[i] = CellLayout.size(features.get(usedPlaces[i]));
      contexts *= usedSizes[i];
    }
    if (contexts > Long.MAX_VALUE) {
      faults.add(
          new SpecFault(
              "distributions", contexts + " contexts that matter", "at most 2^63 joint levels"));
    }
    armRow = armRows(spec.arms(), actionPlaces);
    rows = rowLevels.size();
    maxTables = (int) (MAX_KEPT / Math.max(1L, (long) rows * mediatorCells));
    query = faults.isEmpty() ? query(known, mediators, features, actions, actionPlaces) : null;
    refuseTooMuch(features, faults);
    error = isEstimated() ? new DistributionError(requireQuery().tables(), delta) : null;
  }

  /** Refuses tables whose product is no joint distribution: of variables with a common cause. */
  private static void refuseHiddenCauses(
      CausalGraph graph, Set<String> tabled, List<SpecFault> faults) {
    for (String one : tabled) {
      for (String other : graph.contains(one) ? graph.siblings(one) : Set.<String>of()) {
        if (one.compareTo(other) < 0 && tabled.contains(other)) {
          faults.add(
              new SpecFault(
                  "graph",
                  one + " <-> " + other,
                  "no hidden common cause of two variables whose tables are multiplied: their joint"
                      + " distribution is not the product. Declare the cause as a [latent] node"
                      + " with a table, or choose a separating set without one of them"));
        }
      }
    }
  }

  /**
   * Refuses a table by the bin of a number where more than the table's parents bears on the
   * variable: within a bin the number follows the others that are known.
   */
  private static void refuseCoarseParents(
      SegmentSpec spec, String child, Set<String> known, List<SpecFault> faults) {
    EstimatedLaw law = EstimatedLaw.ofCells(spec);
    Set<String> parents = new TreeSet<>();
    spec.distributions().cpt(child).stream()
        .flatMap(cpt -> cpt.parents().stream())
        .forEach(parent -> parents.add(parent.name()));
    Optional<String> coarse =
        parents.stream().filter(parent -> !law.itself(parent).equals(parent)).findFirst();
    if (coarse.isEmpty() || !law.graph().contains(child)) {
      return;
    }
    Set<String> others = new TreeSet<>(known);
    others.removeAll(parents);
    others.removeAll(law.graph().descendants(List.of(law.itself(child))));
    others.removeIf(other -> !law.graph().contains(other));
    Separation.openPath(law.graph(), others, List.of(child), parents)
        .ifPresent(
            path ->
                faults.add(
                    new SpecFault(
                        "graph",
                        path,
                        "no path around the bin of %1$s to %2$s: the table of %2$s knows only the bin. If %2$s depends on the bin alone, state variables.%1$s.acts-by: bin"
                            .formatted(coarse.get(), child))));
  }

  /** Refuses tables that no decision could fill in time, or that do not fit in memory. */
  private void refuseTooMuch(List<SpecVariable> features, List<SpecFault> faults) {
    if (query == null) {
      return;
    }
    long completions = 1;
    for (int place : usedPlaces) {
      boolean isMissing = features.get(place).undisclosed() >= 0;
      completions =
          WorkBudget.product(completions, isMissing ? features.get(place).disclosedLevels() : 1);
    }
    long numbers = WorkBudget.product(rows, mediatorCells);
    long steps = WorkBudget.product(rows, query.terms(), completions);
    if (numbers > WorkBudget.MAX_NUMBERS || steps > WorkBudget.MAX_STEPS) {
      faults.add(
          new SpecFault(
              "distributions",
              "tables of %d numbers, each table a sum of %d terms".formatted(numbers, steps),
              ("at most %d numbers and %d terms: fewer mediators, arms with fewer joint levels, or"
                      + " fewer variables that may be undisclosed")
                  .formatted(WorkBudget.MAX_NUMBERS, WorkBudget.MAX_STEPS)));
    }
  }

  /** Returns a row number; arms with the same number have the same p(z | x, a) for every x. */
  int row(int arm) {
    return armRow[arm];
  }

  /** Returns whether p(z | x, a) depends on this feature, be it through what is undisclosed. */
  boolean dependsOn(int place) {
    return Arrays.binarySearch(usedPlaces, place) >= 0;
  }

  /** Returns whether any table that is needed is estimated from counts. */
  boolean isEstimated() {
    return query != null && query.tables().stream().anyMatch(Cpt::isEstimated);
  }

  /** Returns all that the errors of estimated tables depend on. */
  String estimates() {
    StringBuilder text = new StringBuilder();
    for (Cpt cpt : requireQuery().tables()) {
      if (cpt.isEstimated()) {
        text.append(cpt.child()).append(cpt.parents());
        double[] table = cpt.table();
        int levels = cpt.child().size();
        for (int i = 0; i < table.length; i++) {
          text.append(' ').append(Math.round(table[i] * cpt.observations(i / levels)));
        }
      }
    }
    return text.toString();
  }

  /** Returns by what errors grow in a segment that had other estimated tables before. */
  double growth(ModelState modelState) {
    return error == null ? 1 : error.growth(DeltaShares.changes(modelState, DeltaShares.TABLES));
  }

  private HeldQuery requireQuery() {
    return Objects.requireNonNull(query, "an estimated table is one of a question");
  }

  /** Returns p(z | x, a) by row. The caller must not change it. */
  MediatorTable table(int[] context) {
    long key = 0;
    for (int i = 0; i < usedPlaces.length; i++) {
      key = key * usedSizes[i] + context[usedPlaces[i]];
    }
    MediatorTable table = tables.get(key);
    if (table == null) {
      table = average(context, context);
      if (tables.size() < maxTables) {
        tables.put(key, table);
      }
    }
    return table;
  }

  /**
   * Returns p(z | x', a) in another world x', where what is undisclosed there is as likely as the
   * factual {@code evidence} makes it.
   */
  MediatorTable table(int[] context, int[] evidence) {
    for (int place : usedPlaces) {
      if (posterior.isUndisclosed(context, place)) {
        return average(context, evidence);
      }
    }
    return table(context);
  }

  private MediatorTable average(int[] context, int[] evidence) {
    double[][] table = new double[rows][mediatorCells];
    double[] errors = new double[rows];
    posterior.complete(
        context,
        evidence,
        usedPlaces,
        (completed, probability) -> {
          for (int row = 0; row < rows; row++) {
            double[] distribution = distribution(completed, row);
            errors[row] += probability * errorOf(completed, row);
            for (int z = 0; z < mediatorCells; z++) {
              table[row][z] += probability * distribution[z];
            }
          }
        });
    return new MediatorTable(table, errors);
  }

  private double[] distribution(int[] completed, int row) {
    return query == null ? new double[] {1} : query.distribution(held(completed, row));
  }

  private double errorOf(int[] completed, int row) {
    return query == null || error == null ? 0 : query.error(held(completed, row), error);
  }

  /** Returns the levels of what the question holds, for a context and the arms of a row. */
  private int[] held(int[] completed, int row) {
    int[] levels = new int[heldPlaces.length + heldActions];
    for (int i = 0; i < heldPlaces.length; i++) {
      levels[i] = completed[heldPlaces[i]];
    }
    System.arraycopy(rowLevels.get(row), 0, levels, heldPlaces.length, heldActions);
    return levels;
  }

  private @Nullable HeldQuery query(
      KnownDistributions known,
      List<String> mediators,
      List<SpecVariable> features,
      List<SpecVariable> actions,
      int[] actionPlaces) {
    if (mediators.isEmpty()) {
      return null;
    }
    List<String> given = new ArrayList<>();
    for (int place : heldPlaces) {
      given.add(features.get(place).name());
    }
    for (int place : actionPlaces) {
      given.add(actions.get(place).name());
    }
    return known.query(mediators, given);
  }

  /** Numbers the joint levels of the relevant actions in the order in which arms have them. */
  private int[] armRows(Arms arms, int[] actionPlaces) {
    int[] rowOfArm = new int[arms.size()];
    Map<List<Integer>, Integer> rowOfLevels = new HashMap<>();
    for (int arm = 0; arm < rowOfArm.length; arm++) {
      int[] levels = new int[actionPlaces.length];
      for (int i = 0; i < levels.length; i++) {
        levels[i] = arms.get(arm).level(actionPlaces[i]);
      }
      List<Integer> joint = Arrays.stream(levels).boxed().toList();
      Integer row = rowOfLevels.get(joint);
      if (row == null) {
        row = rowLevels.size();
        rowOfLevels.put(joint, row);
        rowLevels.add(levels);
      }
      rowOfArm[arm] = row;
    }
    return rowOfArm;
  }

  /**
   * Walks from the mediators to their causes, up to the held variables, and returns those met.
   *
   * @param seen starts as the mediators, and gets all whose tables are needed
   */
  private static Set<String> parentsAmong(
      Set<String> held, Set<String> seen, KnownDistributions known, List<SpecFault> faults) {
    List<String> mediators = List.copyOf(seen);
    Set<String> met = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(mediators);
    while (!open.isEmpty()) {
      String name = open.pop();
      Cpt cpt = known.cpt(name).orElse(null);
      if (cpt == null) {
        faults.add(
            new SpecFault(
                "distributions." + name,
                "nothing",
                "give P(" + name + " | its parents): the mediators " + mediators + " need it"));
        continue;
      }
      for (Variable parent : cpt.parents()) {
        if (held.contains(parent.name())) {
          met.add(parent.name());
        } else if (seen.add(parent.name())) {
          open.add(parent.name());
        }
      }
    }
    return met;
  }

  private static int[] placesOf(List<SpecVariable> variables, Set<String> names) {
    boolean[] chosen = new boolean[variables.size()];
    for (int place = 0; place < chosen.length; place++) {
      chosen[place] = names.contains(variables.get(place).name());
    }
    return placesOf(chosen);
  }

  private static int[] placesOf(boolean[] chosen) {
    int[] places = new int[chosen.length];
    int count = 0;
    for (int place = 0; place < chosen.length; place++) {
      if (chosen[place]) {
        places[count++] = place;
      }
    }
    return Arrays.copyOf(places, count);
  }
}
