package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.constraint.Lagrangian;
import io.equipoise.policy.constraint.OverlapDeficit;
import io.equipoise.policy.constraint.SelectionRule;
import io.equipoise.policy.constraint.ShrinkingScreen;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a candidate by a logistic policy, and computes what the choice does to the state
 * (docs/math/logistic.md#rules-of-choice).
 *
 * <p>Immutable and safe for use by many threads. One decision is {@link #choose}, which changes
 * nothing, then {@link #commit}; a reward, whenever it comes, is {@link LogisticModel#learn} with
 * the features stored at the decision. Dual variables move at the decision and need no reward.
 */
public final class LogisticRule {
  final PolicyParameters parameters;
  private final SelectionRule rule;
  private final DualPenalty penalty;
  private final EffectAudit audit;

  /**
   * Makes a policy of a replication, whose audit has the radius LAPLACE
   * (docs/math/logistic.md#the-radius).
   */
  public LogisticRule(PolicyParameters parameters) {
    this(parameters, new ConfidenceRadius(RadiusKind.LAPLACE, parameters.radius().alpha(), 1));
  }

  /**
   * Makes a policy.
   *
   * @param audited radius by which effects are certified
   */
  public LogisticRule(PolicyParameters parameters, ConfidenceRadius audited) {
    this.parameters = parameters;
    boolean isConstrained = parameters.name().isConstrained();
    penalty =
        new DualPenalty(
            isConstrained ? parameters.limits() : List.of(),
            parameters.rho(),
            parameters.schedule(),
            parameters.name() == LogisticPolicyName.DUAL_UPPER
                ? DualPenalty.Cost.UPPER_END
                : DualPenalty.Cost.ESTIMATE);
    rule =
        parameters.name().hasScreen()
            ? new ShrinkingScreen(penalty, parameters.screenWidth())
            : new Lagrangian(penalty);
    audit = new EffectAudit(parameters.effects(), parameters.limits(), audited);
  }

  /** Returns the state before any decision, around a model without rewards. */
  public LogisticState start(LogisticModel model) {
    return new LogisticState(model, newMemory(model.scale().n()));
  }

  /** Returns what is remembered before any decision, in n dimensions. */
  LogisticMemory newMemory(int n) {
    return new LogisticMemory(
        new DualBlock(constraints()),
        parameters.name() == LogisticPolicyName.GLM_UCB ? new DesignBlock(n) : null,
        parameters.name() == LogisticPolicyName.FORCED_EXPLORATION ? new OverlapDeficit(n) : null);
  }

  /** Returns the number of dual variables; 0 for a policy without a constraint. */
  private int constraints() {
    return parameters.name().isConstrained() ? parameters.limits().size() : 0;
  }

  /**
   * Chooses a candidate; changes nothing.
   *
   * @param start where the scan of candidates begins, from 0 to below their number: ties go to the
   *     first one visited
   */
  public LogisticChoice choose(LogisticState state, LogisticRequest request, int start) {
    check(request);
    LogisticRound round = round(state, request);
    round.points.check();
    return round.choose(start);
  }

  /**
   * Returns the request before the state, where several choices are compared. Its features must be
   * those of the model: a {@link RequestEncoder}'s are.
   */
  LogisticRound round(LogisticState state, LogisticRequest request) {
    return new LogisticRound(parameters, rule, penalty, state, request);
  }

  /** Takes a choice into the state: counts the decision and moves what moves with it. */
  public void commit(LogisticState state, LogisticRequest request, LogisticChoice choice) {
    state.duals().advance(choice.phiAfter());
    DesignBlock design = state.design();
    if (design != null) {
      design.add(request.candidates().get(choice.candidate()).x());
    }
    if (choice.nextNeed() != null) {
      state.memory().need(choice.nextNeed().copy());
    }
  }

  /** Audits a choice by the audit's own radius, whatever the policy's is; changes nothing. */
  public DecisionAudit audit(LogisticState state, LogisticRequest request, LogisticChoice choice) {
    return audit(state, points(state, request), choice);
  }

  /** Returns how a state's model sees the vectors of a request. */
  RequestPoints points(LogisticState state, LogisticRequest request) {
    return new RequestPoints(state.model().estimate(), request, parameters.effects());
  }

  /**
   * Audits a choice.
   *
   * @param points of the state's model
   */
  DecisionAudit audit(LogisticState state, RequestPoints points, LogisticChoice choice) {
    return audit.of(state, points, choice);
  }

  /** Returns for every candidate whether the audit certifies all its effects. */
  boolean[] certified(LogisticState state, RequestPoints points) {
    boolean[] certified = new boolean[points.request.size()];
    for (int candidate = 0; candidate < certified.length; candidate++) {
      certified[candidate] = audit.certifies(state, points, candidate);
    }
    return certified;
  }

  /**
   * Adds the effects of a candidate to what a round knows; returns the difference of features of
   * the undecided one with the widest interval, null if all are decided.
   */
  double @Nullable [] look(
      LogisticState state, RequestPoints points, int candidate, EarnRound round) {
    return audit.look(state, points, candidate, round);
  }

  private void check(LogisticRequest request) {
    if (request.alternatives().size() != parameters.limits().size()) {
      throw new IllegalArgumentException(
          "a request with counterfactuals for "
              + request.alternatives().size()
              + " constraints, a policy with "
              + parameters.limits().size());
    }
  }
}
