package io.equipoise.policy.logistic;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.constraint.CandidateScores;
import io.equipoise.policy.constraint.Contrasts;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.EffectBounds;
import io.equipoise.policy.constraint.EffectSize;
import io.equipoise.policy.constraint.ForcedExploration.DrawnExploration;
import io.equipoise.policy.constraint.OverlapDeficit;
import io.equipoise.policy.constraint.Selection;
import io.equipoise.policy.constraint.SelectionRule;
import io.equipoise.policy.constraint.ShrinkingScreen;
import org.ejml.data.DMatrixRMaj;
import org.jspecify.annotations.Nullable;

/**
 * Chooses for one request under one state: as often as it is asked, from any start of the scan.
 * Computes once what does not depend on the start. Changes nothing; valid until the state changes.
 */
final class LogisticRound {
  private final PolicyParameters parameters;
  private final SelectionRule rule;
  private final DualPenalty penalty;
  private final LogisticState state;
  private final ParameterEstimate parameterEstimate;
  private final LogisticRequest request;

  /** The request at the parameter of the state's model. */
  final RequestPoints points;

  private final Point[] seen;
  private final double r;

  /** How far the index reaches above the log odds, in their standard deviations. */
  private final double reach;

  private @Nullable LogisticProspects fromAnyStart;

  LogisticRound(
      PolicyParameters parameters,
      SelectionRule rule,
      DualPenalty penalty,
      LogisticState state,
      LogisticRequest request) {
    this.parameters = parameters;
    this.rule = rule;
    this.penalty = penalty;
    this.state = state;
    this.request = request;
    parameterEstimate = state.model().estimate();
    r = parameterEstimate.radius(parameters.radius());
    reach = parameters.width() == null ? r : parameters.width();
    points = new RequestPoints(parameterEstimate, request, parameters.effects());
    seen = points.own();
  }

  /** Returns the candidate that {@link #choose} chooses. */
  int candidate(int start) {
    LogisticProspects prospects = prospects(start);
    Selection selection = rule.select(prospects, state.duals(), start);
    DrawnExploration plan = plan(prospects, selection, start);
    return plan == null ? selection.candidate() : plan.candidate();
  }

  /** Chooses what the rule says. */
  LogisticChoice choose(int start) {
    return choose(start, -1);
  }

  /** Takes a candidate in the place of the one that {@link #choose} returns. */
  LogisticChoice take(int start, int candidate) {
    return choose(start, candidate);
  }

  /** Returns the candidates that a screen admits; none where the policy has no screen. */
  boolean[] allowed(int start) {
    return rule instanceof ShrinkingScreen screen
        ? screen.allowed(prospects(start), state.duals())
        : new boolean[seen.length];
  }

  /**
   * Returns how much more an index would be for another level, by the difference of log odds.
   *
   * @param index of the candidate, in (0, 1)
   */
  double more(int candidate, double index, int attribute, int alternative) {
    double odds = StrictMath.log(index / (1 - index));
    double apart = points.pair(candidate, attribute, alternative).xc.z - seen[candidate].z;
    return Logistic.mean(odds + apart) - index;
  }

  /** Returns the estimated mean reward of a candidate. */
  double mean(int candidate) {
    return seen[candidate].mean();
  }

  private LogisticChoice choose(int start, int taken) {
    LogisticProspects prospects = prospects(start);
    DualBlock duals = state.duals();
    Selection selection = rule.select(prospects, duals, start);
    DrawnExploration plan = plan(prospects, selection, start);
    int ruled = plan == null ? selection.candidate() : plan.candidate();
    int chosen = taken < 0 ? ruled : taken;
    prospects.refresh(chosen);
    return new LogisticChoice(
        chosen,
        chosen == ruled
            ? reason(ruled, selection, prospects, duals, start)
            : DecisionReason.EXPLORE,
        selection.score(),
        prospects.mean(chosen),
        prospects.optimistic,
        parameterEstimate.squaredRadius(parameters.radius()),
        duals.phis(),
        penalty.next(prospects, duals, chosen),
        selection.allowed(),
        selection.candidate(),
        plan == null ? 0 : plan.need(),
        plan == null ? null : plan.next(chosen));
  }

  private @Nullable DrawnExploration plan(
      LogisticProspects prospects, Selection selection, int start) {
    OverlapDeficit need = state.need();
    if (need == null || !(rule instanceof ShrinkingScreen screen)) {
      return null;
    }
    return parameters
        .exploration()
        .plan(need, screen, prospects, prospects, state.duals(), selection.candidate(), start);
  }

  /** It is exploitation if the same rule on means would choose the same. */
  private DecisionReason reason(
      int chosen, Selection selection, LogisticProspects prospects, DualBlock duals, int start) {
    if (chosen != selection.candidate()) {
      return DecisionReason.FORCED_EXPLORATION;
    }
    if (selection.isFallback()) {
      return DecisionReason.UNCERTIFIED;
    }
    Selection onMeans = rule.select(prospects.withoutOptimism(), duals, start);
    return onMeans.candidate() == chosen ? DecisionReason.EXPLOIT : DecisionReason.EXPLORE;
  }

  /** Where ties decide on the optimistic parameter, all depends on the start. */
  LogisticProspects prospects(int start) {
    LogisticProspects known = fromAnyStart;
    if (known != null) {
      return known;
    }
    if (parameters.width() != null) {
      return kept(prospects(optimistic(), null));
    }
    return switch (parameters.name()) {
      case OFULOG, CCLB, EPS_CCLB -> jointly(start);
      case GLM_UCB -> kept(prospects(filippi(), null));
      case DUAL_UPPER, SCREEN, FORCED_EXPLORATION -> kept(prospects(optimistic(), null));
    };
  }

  /** Remembers what holds for any start. */
  private LogisticProspects kept(LogisticProspects prospects) {
    fromAnyStart = prospects;
    return prospects;
  }

  private LogisticProspects prospects(double[] optimistic, double @Nullable [] tilde) {
    boolean isConstrained = parameters.name().isConstrained();
    LogisticEffects effects =
        new LogisticEffects(
            points,
            parameters,
            r,
            tilde,
            state.bounds(),
            isConstrained ? parameters.limits().size() : 0);
    return new LogisticProspects(parameterEstimate, seen, optimistic, effects, r);
  }

  private double[] filippi() {
    DesignBlock design = state.design();
    if (design == null) {
      throw new IllegalArgumentException("a state of another policy than glm-ucb");
    }
    double bonus = design.radius(state.model().scale(), parameters.radius().alpha());
    double[] optimistic = new double[seen.length];
    for (int i = 0; i < optimistic.length; i++) {
      optimistic[i] = seen[i].mean() + bonus * design.deviation(seen[i].x);
    }
    return optimistic;
  }

  private double[] optimistic() {
    double[] optimistic =
        state.model() instanceof StreamingModel
            ? parameterEstimate.optimistic(seen, reach)
            : state.model().optimistic(request.features(), parameters.radius());
    for (int i = 0; i < optimistic.length; i++) {
      optimistic[i] = Logistic.mean(optimistic[i]);
    }
    return optimistic;
  }

  private LogisticProspects jointly(int start) {
    double[] tilde =
        state.model().jointOptimum(request.features(), start, parameters.radius()).theta();
    double[] optimistic = new double[seen.length];
    for (int i = 0; i < optimistic.length; i++) {
      optimistic[i] = Logistic.mean(Vectors.dot(seen[i].x, seen[i].places, tilde));
    }
    return prospects(optimistic, tilde);
  }

  /** Gives a logistic model's scores of one request. Valid as long as the estimate. */
  static final class LogisticProspects implements CandidateScores, Contrasts {
    private final ParameterEstimate parameterEstimate;
    private final Point[] seen;
    final double[] optimistic;
    private final LogisticEffects effects;
    private final double r;

    /**
     * Collects what is said.
     *
     * @param seen the features of every candidate
     * @param optimistic mean reward of every candidate
     * @param r radius of the policy's ellipsoid
     */
    LogisticProspects(
        ParameterEstimate parameterEstimate,
        Point[] seen,
        double[] optimistic,
        LogisticEffects effects,
        double r) {
      this.parameterEstimate = parameterEstimate;
      this.seen = seen;
      this.optimistic = optimistic;
      this.effects = effects;
      this.r = r;
    }

    /** Returns the same but for optimism: every optimistic value is the mean. */
    LogisticProspects withoutOptimism() {
      double[] means = new double[seen.length];
      for (int candidate = 0; candidate < means.length; candidate++) {
        means[candidate] = mean(candidate);
      }
      return new LogisticProspects(parameterEstimate, seen, means, effects, r);
    }

    @Override
    public int candidates() {
      return seen.length;
    }

    @Override
    public int constraints() {
      return effects.constraints;
    }

    @Override
    public double mean(int candidate) {
      return seen[candidate].mean();
    }

    @Override
    public double optimistic(int candidate) {
      return optimistic[candidate];
    }

    @Override
    public EffectSize effect(int candidate, int constraint) {
      return effects.size(candidate, constraint);
    }

    @Override
    public double estimate(int candidate, int constraint) {
      return effects.estimate(candidate, constraint);
    }

    @Override
    public EffectBounds bounds(int candidate, int constraint) {
      return effects.bounds(candidate, constraint);
    }

    @Override
    public EffectBounds roughBounds(int candidate, int constraint) {
      return effects.roughBounds(candidate, constraint);
    }

    /** Brings what is kept of a candidate's effects up to date. */
    void refresh(int candidate) {
      for (int constraint = 0; constraint < constraints(); constraint++) {
        roughBounds(candidate, constraint);
      }
    }

    @Override
    public DMatrixRMaj inverse() {
      return parameterEstimate.inverse();
    }

    @Override
    public double radius() {
      return r;
    }

    @Override
    public double[] features(int candidate) {
      return seen[candidate].x;
    }

    @Override
    public double weight(int candidate) {
      return seen[candidate].slope();
    }

    @Override
    public double[] gradient(int candidate, int constraint) {
      return effects.gradient(candidate, constraint);
    }
  }
}
