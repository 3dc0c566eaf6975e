package io.equipoise.policy;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.causal.Separation;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks up causal bounds on E[R | x, do(a)] under a spec by context and arm. Immutable.
 *
 * <p>All rows of one arm name the same features, so at most one row speaks of a context: its key is
 * the joint index of these features, mixed radix, the first the slowest.
 */
public final class CausalBoundTable {
  private static final int NONE = -1;

  private final double[] lower;
  private final double[] upper;
  private final List<ArmRows> arms = new ArrayList<>();

  /** Finds the row of one arm by the joint level of the features that its rows name. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record ArmRows(int[] places, int[] sizes, Map<Long, Integer> rows) {
    long key(int[] context) {
      long key = 0;
      for (int i = 0; i < places.length; i++) {
        key = key * sizes[i] + context[places[i]];
      }
      return key;
    }
  }

  private CausalBoundTable(SegmentSpec spec, List<CausalBoundRow> rows)
      throws CausalBoundException {
    lower = new double[rows.size()];
    upper = new double[rows.size()];
    Map<String, Integer> armIndex = new HashMap<>();
    List<Map<Long, Integer>> keys = new ArrayList<>();
    List<Set<String>> named = new ArrayList<>();
    for (Arm arm : spec.arms().list()) {
      armIndex.put(arm.id(), keys.size());
      keys.add(new HashMap<>());
      named.add(Set.of());
    }
    CausalBoundRowReader reader = new CausalBoundRowReader(spec);
    for (int row = 0; row < lower.length; row++) {
      CausalBoundRow given = rows.get(row);
      Integer arm = armIndex.get(given.arm());
      if (arm == null) {
        throw new CausalBoundException(row, "the spec has no arm " + given.arm());
      }
      checkRange(row, given, spec.reward().range());
      Set<String> variables = new TreeSet<>(given.context().keySet());
      if (!keys.get(arm).isEmpty() && !named.get(arm).equals(variables)) {
        throw new CausalBoundException(
            row,
            "rows of arm %s name %s and %s; all of one arm name the same variables"
                .formatted(given.arm(), named.get(arm), variables));
      }
      named.set(arm, variables);
      if (keys.get(arm).put(reader.key(row, given), row) != null) {
        throw new CausalBoundException(
            row, "two rows of arm " + given.arm() + " speak of " + given.context());
      }
      lower[row] = given.lower();
      upper[row] = given.upper();
    }
    for (int arm = 0; arm < keys.size(); arm++) {
      int[] places = reader.places(named.get(arm));
      arms.add(new ArmRows(places, reader.sizes(places), Map.copyOf(keys.get(arm))));
    }
  }

  /**
   * Reads rows under a spec; a row's place in the list is its number here.
   *
   * @throws CausalBoundException with the first invalid row. A row is invalid if it names an arm,
   *     feature or level that the spec lacks, or exceeds the range of rewards. It is invalid if
   *     another row of its arm has the same context, or if it leaves out a feature that matters to
   *     the reward under the spec's graph
   */
  public static CausalBoundTable of(SegmentSpec spec, List<CausalBoundRow> rows)
      throws CausalBoundException {
    return new CausalBoundTable(spec, rows);
  }

  /** Returns the number of rows. */
  public int size() {
    return lower.length;
  }

  /** Returns the row that speaks of an arm in a context, or -1 if none does. */
  public int row(int arm, int[] context) {
    ArmRows known = arms.get(arm);
    return known.rows().getOrDefault(known.key(context), NONE);
  }

  /** Returns L of a row. */
  public double lower(int row) {
    return lower[row];
  }

  /** Returns U of a row. */
  public double upper(int row) {
    return upper[row];
  }

  private static void checkRange(int row, CausalBoundRow given, NumberRange numberRange)
      throws CausalBoundException {
    if (!(given.lower() <= given.upper())
        || !numberRange.contains(given.lower())
        || !numberRange.contains(given.upper())) {
      throw new CausalBoundException(
          row,
          "[%s, %s] is no part of the range of rewards, [%s, %s]"
              .formatted(given.lower(), given.upper(), numberRange.low(), numberRange.high()));
    }
  }

  /** Turns the contexts of prior rows into joint levels of a spec's features. */
  private static final class CausalBoundRowReader {
    private final SegmentSpec spec;
    private final List<SpecVariable> features;
    private final Map<Set<String>, Optional<String>> leaks = new HashMap<>();

    CausalBoundRowReader(SegmentSpec spec) {
      this.spec = spec;
      this.features = spec.variables().features();
    }

    /** Returns the places of named features, ascending. */
    int[] places(Collection<String> named) {
      return features.stream()
          .filter(feature -> named.contains(feature.name()))
          .mapToInt(features::indexOf)
          .toArray();
    }

    int[] sizes(int[] places) {
      int[] sizes = new int[places.length];
      for (int i = 0; i < places.length; i++) {
        sizes[i] = CellLayout.size(features.get(places[i]));
      }
      return sizes;
    }

    /** Returns the joint index of the features that a row names. */
    long key(int row, CausalBoundRow given) throws CausalBoundException {
      long key = 0;
      int found = 0;
      for (SpecVariable feature : features) {
        String level = given.context().get(feature.name());
        if (level == null) {
          continue;
        }
        int index = feature.indexOf(level);
        if (index < 0) {
          throw new CausalBoundException(
              row, "variable " + feature.name() + " has no such level; it has " + feature.levels());
        }
        long size = CellLayout.size(feature);
        if (key > (Long.MAX_VALUE - index) / size) {
          throw new CausalBoundException(row, "the contexts have more than 2^63 joint levels");
        }
        key = key * size + index;
        found++;
      }
      if (found < given.context().size()) {
        throw new CausalBoundException(
            row, "of " + given.context().keySet() + " not all are context variables of the spec");
      }
      if (given.isDerived()) {
        checkOmitted(row, given.context().keySet());
      }
      return key;
    }

    /** A bound that leaves a feature out is one for a mean over it, unless the feature is void. */
    private void checkOmitted(int row, Set<String> named) throws CausalBoundException {
      Optional<String> leak = leaks.computeIfAbsent(Set.copyOf(named), this::openPath);
      if (leak.isPresent()) {
        throw new CausalBoundException(
            row,
            "rows that name %s hold for no single context: what they leave out bears on the reward along %s"
                .formatted(named, leak.get()));
      }
    }

    /**
     * Looks for a way on which a feature outside of the named ones bears on the reward when the
     * actions are set: with all edges into the actions cut, and actions and named features given.
     */
    private Optional<String> openPath(Set<String> named) {
      List<String> actions = new ArrayList<>();
      spec.variables().actions().forEach(action -> actions.add(action.name()));
      List<String> omitted = new ArrayList<>();
      List<String> given = new ArrayList<>();
      CausalGraph graph = spec.graph();
      for (SpecVariable feature : features) {
        (named.contains(feature.name()) ? given : omitted).add(feature.name());
      }
      for (String action : actions) {
        if (graph.contains(action)) {
          given.add(action);
        }
      }
      return Separation.openPath(
          set(graph, actions), omitted, List.of(spec.variables().reward().name()), given);
    }

    private static CausalGraph set(CausalGraph graph, Collection<String> actions) {
      GraphBuilder cut = CausalGraph.builder();
      graph.nodes().forEach(cut::node);
      for (String node : graph.nodes()) {
        for (String child : graph.children(node)) {
          if (!actions.contains(child)) {
            cut.directed(node, child);
          }
        }
        for (String sibling : graph.siblings(node)) {
          if (!actions.contains(node) && !actions.contains(sibling)) {
            cut.bidirected(node, sibling);
          }
        }
      }
      return cut.build();
    }
  }
}
