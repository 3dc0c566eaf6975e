package io.equipoise.bandit.logistic;

import io.equipoise.bandit.Why;
import io.equipoise.bandit.constraint.DualBlock;
import io.equipoise.bandit.constraint.DualPenalty;
import io.equipoise.bandit.constraint.EffectSize;
import io.equipoise.bandit.constraint.ForcedExploration.Plan;
import io.equipoise.bandit.constraint.Lagrangian;
import io.equipoise.bandit.constraint.NeedBlock;
import io.equipoise.bandit.constraint.Selection;
import io.equipoise.bandit.constraint.SelectionRule;
import io.equipoise.bandit.constraint.ShrinkingScreen;
import io.equipoise.bandit.logistic.LogisticRequest.Candidate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A logistic policy: chooses a candidate, and says what the choice does to the state (specification
 * of the logistic policies, section 5).
 *
 * <p>Immutable and safe for use by many threads. One decision is {@link #choose}, which changes
 * nothing, then {@link #commit}; a reward, whenever it comes, is {@link LogisticModel#learn} with
 * the features stored at the decision. Dual variables move at the decision and need no reward.
 */
public final class LogisticPolicy {
  private static final double GUARD_FROM = 0.5;
  private static final int AS_RULED = -1;

  private final PolicyParameters parameters;
  private final SelectionRule rule;
  private final EffectAudit audit;

  /** Makes a policy whose audit has the failure probability of its own radius. */
  public LogisticPolicy(PolicyParameters parameters) {
    this(parameters, parameters.radius().alpha());
  }

  /**
   * Makes a policy.
   *
   * @param auditAlpha failure probability of the audit's radius, in (0, 1)
   */
  public LogisticPolicy(PolicyParameters parameters, double auditAlpha) {
    this.parameters = parameters;
    boolean isConstrained = parameters.name().isConstrained();
    DualPenalty penalty =
        new DualPenalty(
            isConstrained ? parameters.limits() : List.of(),
            parameters.rho(),
            parameters.schedule(),
            parameters.name() == LogisticPolicyName.PC
                ? DualPenalty.Cost.UPPER_END
                : DualPenalty.Cost.ESTIMATE);
    rule =
        hasScreen(parameters.name())
            ? new ShrinkingScreen(penalty, parameters.screenWidth())
            : new Lagrangian(penalty);
    audit = new EffectAudit(parameters.limits(), auditAlpha);
  }

  public PolicyParameters parameters() {
    return parameters;
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
        parameters.name() == LogisticPolicyName.CX ? new NeedBlock(n) : null);
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
    return choose(state, request, start, AS_RULED);
  }

  /**
   * Takes a candidate in the place of the one that {@link #choose} returns; changes nothing. Dual
   * variables will move by what is taken; what cx had planned counts as done.
   */
  LogisticChoice take(LogisticState state, LogisticRequest request, int start, int candidate) {
    return choose(state, request, start, candidate);
  }

  private LogisticChoice choose(
      LogisticState state, LogisticRequest request, int start, int taken) {
    check(state, request);
    LogisticProspects prospects = prospects(state, request, start);
    DualBlock duals = state.duals();
    Selection selection = rule.select(prospects, duals, start);
    Plan plan = plan(state, prospects, selection, start);
    int ruled = plan == null ? selection.candidate() : plan.candidate();
    int chosen = taken == AS_RULED ? ruled : taken;
    DualPenalty penalty =
        rule instanceof ShrinkingScreen screen ? screen.penalty() : ((Lagrangian) rule).penalty();
    return new LogisticChoice(
        chosen,
        chosen == ruled ? why(ruled, selection, prospects, duals, start) : Why.EXPLORE,
        selection.score(),
        prospects.mean(chosen),
        prospects.optimistic(),
        state.model().estimate().squaredRadius(parameters.radius()),
        List.of(prospects.effects(chosen)),
        duals.phis(),
        penalty.next(prospects, duals, chosen),
        selection.allowed(),
        selection.candidate(),
        plan == null ? 0 : plan.need(),
        plan == null ? null : plan.next());
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
    return audit.of(state.model().estimate(), request, choice);
  }

  /** Says of every candidate whether the audit certifies all its effects. */
  boolean[] certified(LogisticState state, LogisticRequest request) {
    Estimate estimate = state.model().estimate();
    boolean[] certified = new boolean[request.size()];
    for (int candidate = 0; candidate < certified.length; candidate++) {
      certified[candidate] = audit.certifies(estimate, request, candidate);
    }
    return certified;
  }

  private static boolean hasScreen(LogisticPolicyName name) {
    return name == LogisticPolicyName.SCREEN || name == LogisticPolicyName.CX;
  }

  private void check(LogisticState state, LogisticRequest request) {
    if (request.alternatives().size() != parameters.limits().size()) {
      throw new IllegalArgumentException(
          "a request with counterfactuals for "
              + request.alternatives().size()
              + " constraints, a policy with "
              + parameters.limits().size());
    }
    for (Candidate candidate : request.candidates()) {
      state.model().scale().check(candidate.x());
      checkAll(state.model().scale(), candidate.factuals());
      checkAll(state.model().scale(), candidate.counterfactuals());
    }
  }

  private static void checkAll(LogisticScale scale, double[][][] worlds) {
    for (double[][] alternatives : worlds) {
      for (double[] x : alternatives) {
        scale.check(x);
      }
    }
  }

  private @Nullable Plan plan(
      LogisticState state, LogisticProspects prospects, Selection selection, int start) {
    NeedBlock need = state.need();
    if (need == null || !(rule instanceof ShrinkingScreen screen)) {
      return null;
    }
    return parameters
        .exploration()
        .plan(need, screen, prospects, prospects, state.duals(), selection.candidate(), start);
  }

  /** It is exploitation if the same rule on means would choose the same. */
  private Why why(
      int chosen, Selection selection, LogisticProspects prospects, DualBlock duals, int start) {
    if (chosen != selection.candidate()) {
      return Why.FORCED;
    }
    if (selection.isFallback()) {
      return Why.FALLBACK;
    }
    Selection onMeans = rule.select(prospects.withoutOptimism(), duals, start);
    return onMeans.candidate() == chosen ? Why.EXPLOIT : Why.EXPLORE;
  }

  private LogisticProspects prospects(LogisticState state, LogisticRequest request, int start) {
    LogisticModel model = state.model();
    Estimate estimate = model.estimate();
    double r = estimate.radius(parameters.radius());
    double[][] features = request.features();
    double[] optimistic = new double[features.length];
    double[] effectAt = estimate.theta();
    switch (parameters.name()) {
      case GLM_UCB -> {
        DesignBlock design = state.design();
        if (design == null) {
          throw new IllegalArgumentException("a state of another policy than glm-ucb");
        }
        double bonus = design.radius(model.scale(), parameters.radius().alpha());
        for (int i = 0; i < optimistic.length; i++) {
          optimistic[i] = estimate.mean(features[i]) + bonus * design.deviation(features[i]);
        }
      }
      case OFULOG, CCLB, EPS_CCLB -> {
        double[] tilde = model.jointOptimum(features, start, parameters.radius()).theta();
        for (int i = 0; i < optimistic.length; i++) {
          optimistic[i] = Logistic.mean(Vectors.dot(features[i], tilde));
        }
        effectAt = parameters.effectAt() == PolicyParameters.EffectAt.TILDE ? tilde : effectAt;
      }
      case PC, SCREEN, CX -> {
        double[] values = model.optimistic(features, parameters.radius());
        for (int i = 0; i < optimistic.length; i++) {
          optimistic[i] = Logistic.mean(values[i]);
        }
      }
    }
    EffectSize[][] effects = new EffectSize[features.length][];
    for (int i = 0; i < effects.length; i++) {
      effects[i] = effects(estimate, effectAt, request.candidates().get(i), r);
    }
    return new LogisticProspects(estimate, request.candidates(), optimistic, effects, r);
  }

  private EffectSize[] effects(
      Estimate estimate, double[] effectAt, Candidate candidate, double r) {
    EffectSize[] sizes = new EffectSize[constraints()];
    for (int constraint = 0; constraint < sizes.length; constraint++) {
      EffectSize size = EffectSize.NONE;
      double[][] factuals = candidate.factuals()[constraint];
      double[][] counterfactuals = candidate.counterfactuals()[constraint];
      for (int i = 0; i < factuals.length; i++) {
        size = size.orLarger(effect(estimate, effectAt, factuals[i], counterfactuals[i], r));
      }
      sizes[constraint] = size;
    }
    return sizes;
  }

  /**
   * Returns an effect by the delta method; for screen and cx, where at least half of the variance
   * comes from no data, over the ellipsoid of the audit instead: the delta method is blind where g
   * is flat.
   */
  private EffectSize effect(
      Estimate estimate, double[] effectAt, double[] x, double[] xc, double r) {
    if (effectAt != estimate.theta()) {
      double effect =
          Logistic.mean(Vectors.dot(x, effectAt)) - Logistic.mean(Vectors.dot(xc, effectAt));
      return EffectSize.of(effect, effect, effect);
    }
    LocalEffect local = estimate.local(x, xc);
    if (hasScreen(parameters.name()) && local.coverage().priorShare() >= GUARD_FROM) {
      double guard = r / Math.sqrt(parameters.radius().scale());
      return estimate.exactInterval(x, xc, guard).size();
    }
    return local.interval(r).size();
  }
}
