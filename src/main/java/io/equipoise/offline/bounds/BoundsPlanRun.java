package io.equipoise.offline.bounds;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.Variable;
import io.equipoise.causal.bounds.BoundMode;
import io.equipoise.causal.bounds.BoundPlan;
import io.equipoise.causal.bounds.BoundPlanner;
import io.equipoise.causal.bounds.BoundQuery;
import io.equipoise.causal.bounds.BoundRecord;
import io.equipoise.causal.bounds.Confidence;
import io.equipoise.causal.bounds.Scope;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.ObservedValues;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.offline.count.CountLayout;
import io.equipoise.offline.count.CountedVariable;
import io.equipoise.offline.count.Counts;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Bounds E[R | do(arm), context] for every arm and context of a spec: plans the counts, and
 * evaluates them. The plan depends on the graph alone. Immutable.
 *
 * <p>A binary reward is one of the two ends of its range [low, high]. Then E[R] = low + (high -
 * low) P(R = high), and bounds on the probability are bounds on the mean. For any other reward in
 * the range, the share (R - low) / (high - low) replaces the probability.
 */
public final class BoundsPlanRun {
  private final SegmentSpec spec;
  private final BoundPlan plan;
  private final List<CountedVariable> variables = new ArrayList<>();
  private final CountLayout countLayout;
  private final @Nullable CountLayout census;
  private final boolean isSelected;
  private final boolean isMean;

  private BoundsPlanRun(
      SegmentSpec spec,
      CausalGraph graph,
      BoundMode mode,
      int maxSize,
      List<String> measured,
      boolean isMean) {
    this.isMean = isMean;
    this.spec = spec;
    List<String> arm = names(spec.variables().actions());
    List<String> context = names(spec.variables().features());
    BoundQuery query = BoundQuery.of(spec.variables().reward().name(), arm, context);
    plan = BoundPlanner.of(graph).withMaxSize(maxSize).withCensus(measured).plan(query, mode);
    if (isMean) {
      checkMean(mode, measured);
    }
    isSelected = graph.selection().isPresent();
    if (!isSelected && !measured.isEmpty()) {
      throw new DistributionException(
          "no node selects the rows of the log, so it is a census itself; omit --census");
    }
    for (Scope scope : plan.scopes()) {
      if (scope.isSelected() != isSelected && !measured.containsAll(scope.variables())) {
        throw new DistributionException("the plan needs unselected rows over " + scope.variables());
      }
    }
    SortedSet<String> needed = plan.variables();
    for (SpecVariable variable : spec.variables().all()) {
      if (needed.contains(variable.name())) {
        variables.add(measured(variable));
      }
    }
    countLayout = layout(isSelected, graph.selection().orElse(null));
    boolean usesCensus = plan.scopes().stream().anyMatch(it -> it.isSelected() != isSelected);
    census = usesCensus ? layout(false, null) : null;
    refuseTooMany();
  }

  private void checkMean(BoundMode mode, List<String> measured) {
    String reward = spec.variables().reward().name();
    if (mode != BoundMode.SOUND || !spec.reward().bounded()) {
      throw new DistributionException(
          "mean rewards require mode SOUND, and a reward.range that single rewards keep to");
    }
    if (measured.contains(reward)) {
      throw new DistributionException("remove " + reward + " from the census: its mean is bounded");
    }
    MeanRules.check(plan, reward);
  }

  private CountLayout layout(boolean ofSelected, @Nullable String flag) {
    List<SortedSet<String>> scopes =
        plan.scopes().stream()
            .filter(scope -> scope.isSelected() == ofSelected)
            .map(Scope::variables)
            .toList();
    List<CountedVariable> counted =
        variables.stream()
            .filter(it -> scopes.stream().anyMatch(scope -> scope.contains(it.name())))
            .toList();
    CountLayout counting = CountLayout.of(counted, scopes, flag);
    return isMean ? counting.withMean(spec.variables().reward().name()) : counting;
  }

  /**
   * Creates the plan.
   *
   * @param selection the node that indicates whether a row is in the log; null if the graph marks
   *     one, or all rows are in the log
   * @param maxSize the largest set that is marginalized or set to its extremes
   * @param measured variables that a census measures in unselected rows; empty without one
   * @param isMean whether the reward is any number of its range rather than one of its ends
   * @throws DistributionException if the number of bounds exceeds the limit of a set
   * @throws io.equipoise.causal.GraphException if the graph has no such node
   */
  public static BoundsPlanRun of(
      SegmentSpec spec,
      @Nullable String selection,
      BoundMode mode,
      int maxSize,
      List<String> measured,
      boolean isMean) {
    CausalGraph graph = SelectionMark.on(spec.graph(), selection);
    return new BoundsPlanRun(spec, graph, mode, maxSize, measured, isMean);
  }

  private CountedVariable measured(SpecVariable variable) {
    NumberRange numberRange = spec.reward().range();
    return variable.equals(spec.variables().reward())
        ? CountedVariable.binary(variable.name(), numberRange.low(), numberRange.high())
        : CountedVariable.of(variable);
  }

  private static List<String> names(List<SpecVariable> variables) {
    return variables.stream().map(SpecVariable::name).toList();
  }

  private void refuseTooMany() {
    List<Variable> asked = new ArrayList<>();
    for (SpecVariable variable : spec.variables().features()) {
      asked.add(new Variable(variable.name(), variable.levels()));
    }
    long contexts = ContingencyTable.size(asked);
    if (contexts > CausalBoundSet.MAX_ROWS / spec.arms().size()) {
      throw new DistributionException(
          "%d arms in %d contexts need more bounds than a set can have, %d"
              .formatted(spec.arms().size(), contexts, CausalBoundSet.MAX_ROWS));
    }
  }

  public SegmentSpec spec() {
    return spec;
  }

  public BoundPlan plan() {
    return plan;
  }

  /** Returns the columns of the rows and the cells to count. */
  public CountLayout layout() {
    return countLayout;
  }

  /** Returns the columns of a census; null if the plan does not use one. */
  public @Nullable CountLayout census() {
    return census;
  }

  /**
   * Evaluates the plan.
   *
   * @param counts counts of {@link #layout}
   * @param censuses counts of {@link #census}; empty if that is null
   */
  public List<BoundRecord> evaluate(Counts counts, Counts censuses, Confidence confidence) {
    ObservedValues observedValues =
        ObservedValues.none()
            .declaring(variables.stream().map(it -> new Variable(it.name(), it.levels())).toList());
    for (ContingencyTable table : counts.tables()) {
      observedValues =
          isSelected ? observedValues.withSelected(table) : observedValues.withUnselected(table);
    }
    for (ContingencyTable table : censuses.tables()) {
      observedValues = observedValues.withUnselected(table);
    }
    return isMean
        ? plan.evaluate(
            observedValues,
            confidence,
            new MeanRules(spec.variables().reward().name(), counts.squares(), isSelected))
        : plan.evaluate(observedValues, confidence);
  }

  /** Converts records to a set: one row for each catalog arm and context. */
  public CausalBoundSet causalBounds(String name, long number, List<BoundRecord> records) {
    return CausalBoundSet.of(name, number, new BoundsRows(spec).of(records));
  }

  /**
   * Marks the node that indicates whether a row is in the log. That node is latent in a spec,
   * because online decisions never observe it.
   */
  private static final class SelectionMark {
    private SelectionMark() {}

    /** Returns the graph with the given selection node, or with its own if none is given. */
    static CausalGraph on(CausalGraph graph, @Nullable String selection) {
      if (selection == null) {
        return graph;
      }
      if (!graph.contains(selection)) {
        throw new GraphException("the graph has no node " + selection + ", only " + graph.nodes());
      }
      GraphBuilder marked = CausalGraph.builder();
      for (String node : graph.nodes()) {
        if (node.equals(selection)) {
          marked.selection(node);
        } else if (graph.latents().contains(node)) {
          marked.latent(node);
        } else {
          marked.node(node);
        }
      }
      for (String node : graph.nodes()) {
        graph.children(node).forEach(child -> marked.directed(node, child));
        for (String sibling : graph.siblings(node)) {
          if (graph.indexOf(node) < graph.indexOf(sibling)) {
            marked.bidirected(node, sibling);
          }
        }
      }
      return marked.build();
    }
  }
}
