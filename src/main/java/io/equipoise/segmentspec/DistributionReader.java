package io.equipoise.segmentspec;

import io.equipoise.causal.BifFormat;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Cpt;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code distributions}: a network in {@code bif}, tables in {@code cpts}, or both.
 *
 * <p>With {@code others: marginalize} a network may have more variables than the spec. With {@code
 * normalize-rows: true} its rows may miss a sum of 1 by rounding, and are scaled.
 *
 * <p>Tables have the disclosed levels only.
 */
final class DistributionReader {
  private final VariableTable variables;
  private final @Nullable CausalGraph graph;
  private final Map<String, Cpt> tables = new LinkedHashMap<>();

  private DistributionReader(VariableTable variables, @Nullable CausalGraph graph) {
    this.variables = variables;
    this.graph = graph;
  }

  /**
   * Returns the tables, none where they, the variables or the graph have a fault; the graph is null
   * if it has one itself.
   */
  static KnownDistributions read(
      @Nullable Section section, VariableTable variables, @Nullable CausalGraph graph) {
    if (section == null) {
      return KnownDistributions.of(List.of());
    }
    Field file = section.get("bif-file");
    if (file != null) {
      file.fault("bif: with the network itself; only a spec that is read from a file names files");
    }
    DistributionReader reader = new DistributionReader(variables, graph);
    Section cpts = section.names("cpts");
    Field bif = section.get("bif");
    needsNetwork(section, "others", "bif-file or bif too: others are its variables");
    needsNetwork(section, "normalize-rows", "bif-file or bif too: its rows are rounded");
    Others others = section.word("others", Others.class);
    boolean isRounded = section.flag("normalize-rows");
    if (bif != null) {
      Set<String> given = cpts == null ? Set.of() : cpts.fields().keySet();
      KnownDistributions network =
          readBif(bif, isRounded, name -> given.contains(name) || reader.isOutside(name, others));
      if (network != null && others != Others.MARGINALIZE) {
        reader.adoptAll(bif, network);
      } else if (network != null && graph != null) {
        reader.adoptOwn(bif, new WiderNetwork(network, variables, graph, given));
      }
    }
    if (cpts != null) {
      cpts.fields()
          .forEach(
              (name, table) ->
                  reader.readTable(name, section.inner(table, "distributions.cpts.NAME")));
    }
    Set<String> faulty = section.field().faults().sections();
    boolean isSound = Collections.disjoint(faulty, List.of("variables", "graph", "distributions"));
    return KnownDistributions.of(isSound ? reader.tables.values() : List.of());
  }

  /** Names the treatment of a network's variables that the spec does not have. */
  private enum Others {
    REJECT,
    MARGINALIZE
  }

  private static void needsNetwork(Section section, String key, String allowed) {
    Field field = section.get(key);
    if (field != null && section.get("bif") == null) {
      field.fault(key + " without a network", allowed);
    }
  }

  /**
   * Returns whether a network needs no table of a variable: actions, which arms set, and the reward
   * if other variables are rejected, because such a network may not have its table.
   */
  private boolean isOutside(String name, Others others) {
    VariableRole role = variables.role(name);
    return (variables.knows(name) && role == null)
        || role == VariableRole.ACTION
        || (role == VariableRole.REWARD && others != Others.MARGINALIZE);
  }

  private static @Nullable KnownDistributions readBif(
      Field field, boolean isRounded, Predicate<String> isReplaced) {
    String text = field.text();
    if (text == null) {
      return null;
    }
    try {
      return isRounded
          ? BifFormat.readWhole(text, BifFormat.PRINTED_TOLERANCE, isReplaced).scaled()
          : BifFormat.readWhole(text, isReplaced);
    } catch (DistributionException e) {
      field.fault(
          SpecFaults.shown(e.getMessage()),
          "a network in the Bayesian Interchange Format, its lines counted from its own first, a"
              + " probability block for each variable but actions and those of cpts, rows that sum"
              + " to 1 (normalize-rows: true if only what was printed does not)");
      return null;
    }
  }

  private void adoptOwn(Field field, WiderNetwork network) {
    if (!network.isRelated()) {
      field.fault("a network without a variable of the spec", "variables of the same names");
    }
    for (String denied : network.denied()) {
      field.fault(
          denied + " in the network, with what is summed out",
          "the same in the graph, or the variable that stands for it in the spec");
    }
    try {
      network.tables().forEach(cpt -> adopt(field, cpt));
    } catch (DistributionException | ArithmeticException e) {
      field.fault(
          SpecFaults.shown(e.getMessage()), "fewer causes to sum out: give them to the spec");
    }
  }

  private void adoptAll(Field field, KnownDistributions network) {
    for (Variable variable : network.variables()) {
      Cpt cpt = network.cpt(variable.name()).orElse(null);
      if (cpt != null) {
        adopt(field, cpt);
      }
    }
  }

  /** Puts the levels of a network's table into the order of the spec. */
  private void adopt(Field field, Cpt cpt) {
    Variable child = matching(field, cpt, cpt.child());
    List<Variable> parents = new ArrayList<>();
    for (Variable parent : cpt.parents()) {
      Variable known = matching(field, cpt, parent);
      if (known != null) {
        parents.add(known);
      }
    }
    if (child == null || parents.size() < cpt.parents().size()) {
      return;
    }
    checkParents(field, child.name(), parents.stream().map(Variable::name).toList());
    double[] table = new double[cpt.table().length];
    int[] levels = new int[parents.size()];
    for (int row = 0; row < table.length / child.size(); row++) {
      int rest = row;
      for (int parent = levels.length - 1; parent >= 0; parent--) {
        Variable known = parents.get(parent);
        String level = known.levels().get(rest % known.size());
        levels[parent] = cpt.parents().get(parent).indexOf(level);
        rest /= known.size();
      }
      for (int level = 0; level < child.size(); level++) {
        int there = cpt.child().indexOf(child.levels().get(level));
        table[row * child.size() + level] = cpt.probability(levels, there);
      }
    }
    tables.put(child.name(), new Cpt(child, parents, table));
  }

  /**
   * Returns the spec's variable if it has the same levels in any order; else null after a fault.
   */
  private @Nullable Variable matching(Field field, Cpt cpt, Variable given) {
    Variable known = variable(field, given.name());
    if (known == null || new HashSet<>(known.levels()).equals(new HashSet<>(given.levels()))) {
      return known;
    }
    field.fault(
        cpt.title() + " with levels " + given.levels() + " of " + given.name(),
        "the levels of the spec, " + known.levels());
    return null;
  }

  private void readTable(String name, Section section) {
    Field field = section.field();
    Field givenField = section.get("given");
    List<String> given = givenField == null ? List.of() : givenField.texts();
    Field counts = section.get("counts");
    Field rows = section.get("rows");
    if (rows == null && counts == null) {
      field.fault(
          "no rows", "rows: levels of the parents, probabilities; or counts: levels, counts");
    } else if (rows != null && counts != null) {
      counts.fault("rows too", "one of them: rows if it is known, counts if it was estimated");
    }
    Field entries = counts == null ? rows : counts;
    KeyType type = section.itemType(counts == null ? "rows" : "counts").of().get(1);
    Variable child = variable(field, name);
    List<Variable> parents = new ArrayList<>();
    for (String parent : given) {
      Variable known = variable(givenField == null ? field : givenField, parent);
      if (known != null) {
        parents.add(known);
      }
    }
    if (child == null || parents.size() < given.size()) {
      return;
    }
    boolean fits = checkParents(givenField == null ? field : givenField, name, given);
    if (tables.containsKey(name)) {
      field.fault("a second distribution of " + name, "it is in bif already");
    } else if (fits && entries != null) {
      Cpt cpt = new TableReader(child, parents, type).read(entries);
      if (cpt != null) {
        tables.put(name, cpt);
      }
    }
  }

  private boolean checkParents(Field field, String child, Collection<String> given) {
    if (graph == null || !graph.contains(child)) {
      return false;
    }
    Set<String> parents = graph.parents(child);
    if (new HashSet<>(given).equals(parents) && given.size() == parents.size()) {
      return true;
    }
    field.fault(
        "the distribution of " + child + " given " + given,
        "given its parents in the graph, each once: " + parents);
    return false;
  }

  /** Returns a variable with its disclosed levels; null if it has a fault or there is none. */
  private @Nullable Variable variable(Field field, String name) {
    SpecVariable known = variables.sound(name);
    if (!variables.knows(name) || variables.role(name) == VariableRole.REWARD) {
      List<String> allowed = new ArrayList<>(variables.names());
      allowed.removeAll(variables.names(VariableRole.REWARD));
      field.fault("the variable " + SpecFaults.shown(name), Nearest.oneOf(name, allowed));
      return null;
    }
    return known == null
        ? null
        : new Variable(name, known.levels().subList(0, known.disclosedLevels()));
  }
}
