package io.equipoise.causal.bounds;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.effect.Adjustment;
import io.equipoise.causal.effect.Factorization;
import io.equipoise.causal.effect.SelectionRecovery;
import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.Probability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Plans bounds from a graph alone, for example {@code
 * BoundPlanner.of(graph).plan(BoundQuery.of("Y", arm, context))}.
 *
 * <p>Sets W have at most {@link #withMaxSize} members, by default {@value #DEFAULT_MAX_SIZE}: with
 * n further variables this takes about n^{@value #DEFAULT_MAX_SIZE} separation tests. Immutable.
 */
public final class BoundPlanner {
  static final int DEFAULT_MAX_SIZE = 3;

  private final CausalGraph graph;
  private final int maxSize;
  private final List<String> census;

  private BoundPlanner(CausalGraph graph, int maxSize, List<String> census) {
    this.graph = graph;
    this.maxSize = maxSize;
    this.census = census;
  }

  public static BoundPlanner of(CausalGraph graph) {
    return new BoundPlanner(graph, DEFAULT_MAX_SIZE, List.of());
  }

  /** Limits the sets of variables that are marginalized or set to their extremes. */
  public BoundPlanner withMaxSize(int size) {
    if (size < 0) {
      throw new IllegalArgumentException("W has at most " + size + " variables");
    }
    return new BoundPlanner(graph, size, census);
  }

  /** Also uses the joint distribution of these variables in unselected rows. */
  public BoundPlanner withCensus(Collection<String> variables) {
    Set<String> unobserved = new HashSet<>(variables);
    unobserved.removeAll(graph.observed());
    if (!unobserved.isEmpty()) {
      throw new GraphException("a census cannot measure " + unobserved);
    }
    return new BoundPlanner(graph, maxSize, List.copyOf(variables));
  }

  /** Plans in mode SOUND. */
  public BoundPlan plan(BoundQuery query) {
    return plan(query, BoundMode.SOUND);
  }

  /** Creates a plan, which may be vacuous but is never empty. */
  public BoundPlan plan(BoundQuery query, BoundMode mode) {
    List<BoundPart> parts =
        switch (mode) {
          case TABLE1 -> List.of(published(query));
          case PAPER -> algorithmOne(query);
          case SOUND -> sound(query);
        };
    return new BoundPlan(graph.fingerprint(), query, mode, parts);
  }

  /**
   * Returns the chains for P_x(y | c) with shorter ones first: all whose last term is recovered, or
   * only the empty one if the effect itself is.
   */
  public List<Chain> chains(String y, Collection<String> x, Collection<String> c) {
    return new ChainPlanner(graph, census).chains(y, x, c, maxSize);
  }

  /** Returns the chain over W in this order, if its last term is recovered. */
  public Optional<Chain> chain(
      String y, Collection<String> x, Collection<String> c, List<String> w) {
    return new ChainPlanner(graph, census).chain(y, x, c, w);
  }

  /**
   * Returns the chains and what needs no assumption, without equal formulas. Nothing improves one
   * conditional probability that equals the effect.
   */
  private List<BoundPart> sound(BoundQuery query) {
    List<BoundPart> parts = new ArrayList<>();
    Set<BoundFormula> seen = new HashSet<>();
    ChainPlanner planner = new ChainPlanner(graph, census);
    for (Chain chain : planner.chains(query.outcome(), query.arm(), query.context(), maxSize)) {
      if (seen.add(chain.formula())) {
        parts.add(new BoundPart(chain.variables(), chain.formula()));
      }
      if (chain.variables().isEmpty() && chain.value() instanceof Probability) {
        return parts;
      }
    }
    for (BoundPart part : new FloorPlanner(graph, planner, maxSize).parts(query)) {
      if (seen.add(part.formula())) {
        parts.add(part);
      }
    }
    return parts.isEmpty() ? List.of(new BoundPart(List.of(), new BoundFormula.Vacuous())) : parts;
  }

  /**
   * The columns lb and ub of the publication's Table 1: the extremes of P(y | x, w, S=1) over the
   * mediators w, times P(c_1 | S=1) P(c_2 | S=1) ... / P(c_1, c_2, ... | S=1).
   */
  private BoundPart published(BoundQuery query) {
    boolean isSelected = graph.selection().isPresent();
    List<String> joint = with(query.outcome(), query.context());
    Set<String> summed = SelectionRecovery.of(graph).factorized(joint, query.arm()).summed();
    List<String> given = new ArrayList<>(query.arm());
    given.addAll(summed);
    BoundFormula formula =
        new BoundFormula.Value(Estimand.probability(List.of(query.outcome()), given, isSelected));
    for (String mediator : summed) {
      formula = new BoundFormula.Extremes(mediator, formula);
    }
    List<Estimand> single =
        query.context().stream()
            .map(name -> Estimand.probability(List.of(name), List.of(), isSelected))
            .toList();
    Estimand factor =
        Estimand.product(single).over(Estimand.probability(query.context(), List.of(), isSelected));
    return new BoundPart(List.copyOf(summed), new BoundFormula.Scaled(factor, formula));
  }

  /**
   * BCE, Algorithm 1: both of its bounds divide by P(c), so it needs P(c). If the arm is a cause of
   * the context, it uses P_x(c) for the division.
   */
  private List<BoundPart> algorithmOne(BoundQuery query) {
    Optional<Estimand> context = contextProbability(query);
    if (context.isEmpty()) {
      return List.of(new BoundPart(List.of(), new BoundFormula.Vacuous()));
    }
    List<String> joint = with(query.outcome(), query.context());
    List<BoundPart> parts = new ArrayList<>();
    parts.add(byFactors(SelectionRecovery.of(graph).factorized(joint, query.arm()), context.get()));
    for (FindRsi.Surrogate found : FindRsi.of(graph, joint, query.arm()).surrogates(maxSize)) {
      List<String> held = new ArrayList<>(query.arm());
      held.addAll(found.w());
      Estimand value =
          Adjustment.of(graph, joint, held).estimand(found.adjustment()).over(context.get());
      BoundFormula formula = new BoundFormula.Value(value);
      for (String name : found.w()) {
        formula = new BoundFormula.Extremes(name, formula);
      }
      parts.add(new BoundPart(List.copyOf(found.w()), formula));
    }
    return parts;
  }

  /** Equation 7: factors that are not recovered range from 0 to 1. */
  private static BoundPart byFactors(Factorization factorization, Estimand context) {
    List<Estimand> factors = new ArrayList<>();
    for (Factorization.Factor factor : factorization.factors()) {
      factors.add(
          factor
              .effect()
              .estimand()
              .orElseGet(() -> Estimand.unknown("Q" + factor.nodes(), factor.nodes())));
    }
    Estimand sum = Estimand.product(factors).summed(factorization.summed());
    return new BoundPart(
        List.copyOf(factorization.summed()), new BoundFormula.Value(sum.over(context)));
  }

  /** P_x(c) in the population; P(c | S=1) is no substitute. */
  private Optional<Estimand> contextProbability(BoundQuery query) {
    List<String> context = query.context();
    if (context.isEmpty()) {
      return Optional.of(Estimand.one());
    }
    if (census.containsAll(context)
        && Collections.disjoint(graph.descendants(query.arm()), context)) {
      return Optional.of(Estimand.probability(context, List.of(), false));
    }
    return SelectionRecovery.of(graph).effect(context, query.arm()).estimand();
  }

  private static List<String> with(String outcome, List<String> context) {
    List<String> joint = new ArrayList<>(List.of(outcome));
    joint.addAll(context);
    return joint;
  }
}
