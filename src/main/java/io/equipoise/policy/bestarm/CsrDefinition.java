package io.equipoise.policy.bestarm;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Defines a causal model with arms by names: a sensitive root S with two levels, an intervened node
 * V, a reward, and for every arm a table P_k(V | pa V).
 *
 * <p>Only those children of S that are ancestors of the reward enter; the others integrate out. No
 * cell variable may descend from V.
 *
 * @param known the tables of the cell variables and of all their ancestors, for example from BIF
 * @param groups the levels s and s' of the sensitive variable
 * @param graph what causes what, without the arms; null if the tables say it all
 */
public record CsrDefinition(
    KnownDistributions known,
    String sensitive,
    List<String> groups,
    String intervened,
    String reward,
    List<Cpt> arms,
    @Nullable CausalGraph graph) {
  private static final int MAX_CELLS = 1 << 16;

  /** A definition whose tables say what causes what. */
  public CsrDefinition(
      KnownDistributions known,
      String sensitive,
      List<String> groups,
      String intervened,
      String reward,
      List<Cpt> arms) {
    this(known, sensitive, groups, intervened, reward, arms, null);
  }

  public CsrDefinition {
    groups = List.copyOf(groups);
    arms = List.copyOf(arms);
  }

  /**
   * Returns the model over cells.
   *
   * @throws DistributionException if a table is missing, names a level that the model has not, or
   *     the graph does not allow the search; the message says where
   */
  public CsrModel compile() {
    return compile(cellVariables());
  }

  private CsrModel compile(List<Variable> cells) {
    Variable group = known.variable(sensitive);
    int[] order = {group.indexOf(groups.get(0)), group.indexOf(groups.get(1))};
    List<String> names = cells.stream().map(Variable::name).toList();
    KnownDistributions replaced = replaced();
    double[] marginal = replaced.conditional(List.of(sensitive), Map.of());
    double[] share = new double[2];
    double[][] law = new double[2][];
    for (int side = 0; side < 2; side++) {
      share[side] = marginal[order[side]];
      law[side] = replaced.conditional(names, Map.of(sensitive, order[side]));
    }
    Cells walk = new Cells(cells);
    double[] ratio = new double[walk.count()];
    double[][][] tables = new double[arms.size()][ratio.length][];
    for (int z = 0; z < ratio.length; z++) {
      boolean happens = law[0][z] > 0 || law[1][z] > 0;
      ratio[z] = happens ? ratio(walk, z, order) : 1;
      for (int k = 0; k < tables.length; k++) {
        tables[k][z] = row(arms.get(k), walk, z);
      }
    }
    return new CsrModel(share, law, ratio, tables);
  }

  /**
   * Returns the variables whose joint levels are the cells z: for every kept child of S its other
   * parents and itself, then the parents of V. The first varies slowest.
   */
  public List<Variable> cellVariables() {
    requireRoles();
    Set<String> names = new LinkedHashSet<>();
    for (Cpt child : keptChildren()) {
      child.parents().forEach(parent -> names.add(parent.name()));
      names.add(child.child().name());
    }
    arms.forEach(arm -> arm.parents().forEach(parent -> names.add(parent.name())));
    names.remove(sensitive);
    Set<String> below = causes().descendants(List.of(intervened));
    for (String name : names) {
      require(
          !below.contains(name),
          "\""
              + name
              + "\" is needed before the intervention but descends from \""
              + intervened
              + "\"");
    }
    List<Variable> cells = names.stream().map(known::variable).toList();
    long count =
        cells.stream().mapToLong(Variable::size).reduce(1, (a, b) -> Math.min(a * b, 1L << 40));
    require(count <= MAX_CELLS, names + " have more than " + MAX_CELLS + " joint levels");
    return cells;
  }

  /** Returns the tables of the children of S that are ancestors of the reward. */
  private List<Cpt> keptChildren() {
    CausalGraph causes = causes();
    Set<String> above = causes.ancestors(List.of(reward));
    List<Cpt> kept = new ArrayList<>();
    for (String child : causes.children(sensitive)) {
      if (above.contains(child)) {
        kept.add(
            known
                .cpt(child)
                .orElseThrow(
                    () -> new DistributionException("P(" + child + " | ...) is not known")));
      }
    }
    return kept;
  }

  private void requireRoles() {
    require(!arms.isEmpty(), "there is no arm");
    require(
        known.graph().parents(sensitive).isEmpty(), "\"" + sensitive + "\" must have no parents");
    Variable group = known.variable(sensitive);
    require(
        group.size() == 2 && groups.size() == 2 && !groups.get(0).equals(groups.get(1)),
        "\"" + sensitive + "\" must have two levels, and both must be named: " + groups);
    if (graph == null) {
      known.variable(reward);
    }
    for (Cpt arm : arms) {
      require(
          arm.child().equals(known.variable(intervened)),
          arm.title() + " of an arm must be over " + known.variable(intervened));
      for (Variable parent : arm.parents()) {
        require(
            parent.equals(known.variable(parent.name())),
            arm.title()
                + " of an arm has the parent levels "
                + parent.levels()
                + ", the model has "
                + known.variable(parent.name()).levels());
        require(
            !parent.name().equals(sensitive),
            "an arm may not look at \"" + sensitive + "\" itself");
      }
    }
  }

  private CausalGraph causes() {
    return graph == null ? replaced().graph() : graph;
  }

  /** Returns the tables with V's own replaced by one that has all parents that an arm looks at. */
  private KnownDistributions replaced() {
    Collection<Variable> parents = new LinkedHashSet<>();
    arms.forEach(arm -> parents.addAll(arm.parents()));
    List<Cpt> tables = new ArrayList<>();
    for (Variable variable : known.variables()) {
      if (!variable.name().equals(intervened)) {
        known.cpt(variable.name()).ifPresent(tables::add);
      }
    }
    tables.add(Cells.uniform(known.variable(intervened), List.copyOf(parents)));
    return KnownDistributions.of(known.variables(), tables);
  }

  private double ratio(Cells walk, int z, int[] order) {
    double ratio = 1;
    for (Cpt child : keptChildren()) {
      int level = walk.level(z, child.child());
      double here = child.probability(walk.parents(z, child, sensitive, order[0]), level);
      double there = child.probability(walk.parents(z, child, sensitive, order[1]), level);
      require(
          here > 0 && there > 0,
          child.title()
              + " must be positive for both levels of \""
              + sensitive
              + "\", but is "
              + here
              + " and "
              + there
              + " at "
              + walk.name(z));
      ratio *= here / there;
    }
    return ratio;
  }

  private double[] row(Cpt arm, Cells walk, int z) {
    double[] row = new double[arm.child().size()];
    for (int v = 0; v < row.length; v++) {
      row[v] = arm.probability(walk.parents(z, arm, sensitive, 0), v);
    }
    return row;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new DistributionException(otherwise);
    }
  }
}
