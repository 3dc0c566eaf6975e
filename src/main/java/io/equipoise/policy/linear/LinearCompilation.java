package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.Constraint;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.DualPenalty.Cost;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.HardConstraint;
import io.equipoise.policy.constraint.Lagrangian;
import io.equipoise.policy.constraint.ShrinkingScreen;
import io.equipoise.policy.features.CoefficientBound;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.policy.linear.LinearFairness.GroupBalance;
import io.equipoise.policy.linear.LinearFairness.Limited;
import io.equipoise.policy.linear.LinearFairness.None;
import io.equipoise.segmentspec.CertificatesSpec;
import io.equipoise.segmentspec.FairnessSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compiles a spec into the parts of a linear policy, or reports all its faults. */
final class LinearCompilation {
  private static final int MAX_FEATURES = 2048;

  private final SegmentSpec spec;
  private final LinearSpec linear;
  final FeatureEncoder encoder;
  private final RidgeModel model;
  final SeenAttributes attributes;

  /** The bound of the norm that intervals rest on. */
  final CoefficientBound bound;

  /** The models that arms start with. */
  final WarmStartModels starts;

  LinearCompilation(SegmentSpec spec) {
    this.spec = spec;
    this.linear = LinearSpec.of(spec);
    List<SpecFault> faults = new ArrayList<>();
    refuseEpsilon(faults);
    refuseNothingSeen(faults);
    Variables variables = spec.variables();
    encoder = new FeatureEncoder(seen(), variables.features(), variables.actions());
    int d = encoder.dimension();
    if (d > MAX_FEATURES) {
      faults.add(
          new SpecFault(
              "policy.features",
              seen().count(d, variables, linear.isShared()),
              "at most %d, fewer terms or levels: a model keeps d^2 numbers%s"
                  .formatted(MAX_FEATURES, linear.isShared() ? "" : ", and each arm has one")));
    }
    model = new RidgeModel(d, linear.ridge(), linear.forget());
    bound = CoefficientBound.of(spec, seen(), linear.isShared(), linear.thetaNorm());
    refuseGuess(faults);
    attributes = new SeenAttributes(spec, seen(), linear.isShared());
    refuseUnseen(faults);
    faults.addAll(attributes.confounded());
    starts = starts(faults);
  }

  /** Learns the evidence, or throws with its faults and those found before. */
  private WarmStartModels starts(List<SpecFault> faults) {
    boolean isTooLarge = model.dimension() > MAX_FEATURES;
    WarmStartModels warm = isTooLarge ? null : WarmStartModels.of(spec, model, encoder, faults);
    if (warm == null) {
      throw new SpecException(faults);
    }
    return warm;
  }

  /** Throws if nothing is left to learn from, with the faults found before. */
  private void refuseNothingSeen(List<SpecFault> faults) {
    if (linear.features().terms().stream().allMatch(this::shows)) {
      faults.add(
          new SpecFault(
              "policy.drop",
              linear.dropped().toString(),
              "variables without which some features are left"));
      throw new SpecException(faults);
    }
  }

  /** Refuses a limit on effects of what the model does not see: no arm would ever be certified. */
  private void refuseUnseen(List<SpecFault> faults) {
    if (linear.constraint() == Constraint.NONE) {
      return;
    }
    String constraint = linear.constraint().wire();
    List<String> dropped = attributes.hidden().stream().filter(linear.dropped()::contains).toList();
    if (dropped.isEmpty()) {
      faults.addAll(attributes.faults("constraint: " + constraint));
    } else {
      faults.add(
          new SpecFault(
              "policy.constraint",
              constraint + " of linucb-unaware without " + dropped,
              "none, or linucb, which sees them: of what is dropped no effect is ever known"));
    }
  }

  private void refuseEpsilon(List<SpecFault> faults) {
    if (linear.epsilon() >= spec.fairness().tau()) {
      faults.add(
          new SpecFault(
              "policy.epsilon",
              String.valueOf(linear.epsilon()),
              "less than tau, which is " + spec.fairness().tau()));
    }
  }

  /** Certificates that decide who gets what do not rest on a guess. */
  private void refuseGuess(List<SpecFault> faults) {
    if (linear.constraint() != Constraint.NONE && !bound.isKnown()) {
      faults.add(
          new SpecFault(
              "policy.theta-norm",
              "no bound for constraint: " + linear.constraint().wire(),
              bound.missing()));
    }
  }

  UndisclosedWorlds undisclosed() {
    return UndisclosedWorlds.ofLinear(spec, seen());
  }

  LinearRule policy() {
    RewardRule reward = spec.reward();
    EarnRound.Terms terms =
        new EarnRound.Terms(
            reward.range().low(),
            reward.range().width(),
            spec.fairness().delta(),
            Math.max(1, KnownContrasts.count(spec)));
    return new LinearRule(model, linear.isShared(), index(), fairness(), linear.explore(), terms);
  }

  /**
   * Returns the contrasts that have intervals of their own; null where the spec wants none, and
   * where a model forgets or starts from evidence, of which nothing is proved.
   */
  @Nullable ContrastPlan contrasts() {
    FairnessSpec fairness = spec.fairness();
    CertificatesSpec certificates = fairness.certificates();
    if (!hasContrasts()) {
      return null;
    }
    RewardRule reward = spec.reward();
    double span = reward.range().width();
    ContrastPlan.Terms terms =
        new ContrastPlan.Terms(
            fairness.delta(),
            fairness.tau() / span,
            reward.range().low(),
            span,
            reward.bounded() ? Double.NaN : fairness.scale() / span,
            certificates.sticky(),
            certificates.contrasts());
    int models = linear.isShared() ? 1 : spec.arms().list().size();
    return new ContrastPlan(known().all(), models, terms, audited());
  }

  private boolean hasContrasts() {
    return spec.fairness().certificates().interval() == CertificatesSpec.IntervalMethod.CONTRAST
        && linear.warmStart() == null
        && model.forgetting().isNothing();
  }

  /** Returns the contrasts that follow from the spec. */
  KnownContrasts known() {
    return new KnownContrasts(spec, encoder, attributes, seen());
  }

  /** The audit's radius is the spec's delta's, never the one that the policy was tuned with. */
  private Radius audited() {
    double delta = spec.fairness().delta();
    Radius radius = anytime(hasContrasts() ? DeltaShares.ELLIPSOID * delta : delta);
    return bound.isKnown() ? radius : new Radius.OnGuess(radius);
  }

  RidgeEffects effects() {
    Radius radius = audited();
    return new RidgeEffects(
        model,
        linear.warmStart() == null ? radius : new Radius.OnEvidence(radius),
        spec.reward().range().width());
  }

  /** Returns the radius at which causal bounds are refuted. */
  Radius refuting() {
    return anytime(
        spec.policy().causalBounds() == null
            ? spec.fairness().delta()
            : Objects.requireNonNull(spec.policy().causalBounds()).delta());
  }

  private Radius anytime(double delta) {
    return new Radius.SelfNormalized(spec.fairness().scale(), bound.norm(), delta);
  }

  private LinearIndex index() {
    LinearIndex index =
        switch ((LinearPolicyName) spec.policy().name()) {
          case LIN_TS -> new LinearIndex.Posterior(linear.sampleScale(), linear.draws());
          case EPSILON_GREEDY -> new LinearIndex.Mean();
          default ->
              linear.alpha() instanceof Alpha.OfRewards of
                  ? new LinearIndex.Ucb(new Radius.Fixed(of.width()), spec.reward().range())
                  : new LinearIndex.Ucb(radius());
        };
    return spec.policy().causalBounds() == null ? index : new LinearIndex.Clipped(index);
  }

  private Radius radius() {
    if (linear.alpha() instanceof Alpha.Fixed fixed) {
      return new Radius.Fixed(fixed.alpha());
    }
    if (linear.alpha() instanceof Alpha.OfDelta of) {
      return Radius.ofDelta(of.delta());
    }
    return anytime(((Alpha.SelfNormalized) linear.alpha()).delta());
  }

  private LinearFairness fairness() {
    GroupSpec groups = linear.groups();
    if (spec.policy().name() == LinearPolicyName.FAIR_LINUCB && groups != null) {
      return new GroupBalance(
          groups().sides(groups, spec.variables()),
          groups.isAdaptive() ? new Gamma.Adaptive() : new Gamma.Fixed(groups.gamma()),
          groups.forget());
    }
    double tau = spec.fairness().tau();
    return switch (linear.constraint()) {
      case NONE -> new None();
      case HARD -> new Limited(effects(), new HardConstraint(List.of(new EffectLimit(tau, 0))));
      case DUAL -> new Limited(effects(), new Lagrangian(penalty(linear.epsilon(), Cost.ESTIMATE)));
      case DUAL_UPPER ->
          new Limited(effects(), new Lagrangian(penalty(linear.epsilon(), Cost.UPPER_END)));
      case SCREEN ->
          new Limited(
              effects(),
              new ShrinkingScreen(
                  penalty(0, Cost.ESTIMATE),
                  ShrinkingScreen.WIDTH * spec.reward().range().width()));
    };
  }

  private DualPenalty penalty(double epsilon, Cost cost) {
    return DualPenalty.capped(new EffectLimit(spec.fairness().tau(), epsilon), cost);
  }

  /** Returns who is in which of the groups that are balanced. */
  PersonGroups groups() {
    return PersonGroups.of(linear.groups(), spec.variables());
  }

  /** Leaves out the terms that show a dropped variable; whether two variables match is kept. */
  private FeatureMap seen() {
    return new FeatureMap(linear.features().terms().stream().filter(term -> !shows(term)).toList());
  }

  private boolean shows(FeatureTerm term) {
    if (term instanceof FeatureTerm.OneHot oneHot) {
      return linear.dropped().contains(oneHot.variable());
    }
    if (term instanceof FeatureTerm.Level level) {
      return linear.dropped().contains(level.variable());
    }
    if (term instanceof FeatureTerm.Numeric number) {
      return linear.dropped().contains(number.variable());
    }
    return term instanceof FeatureTerm.Product product
        && (shows(product.left()) || shows(product.right()));
  }

  /**
   * Returns a hash of what the statistics mean over the variables that a spec lists; tau, delta,
   * alpha, gamma and arms do not count.
   */
  String fingerprint(SegmentSpec listed) {
    StringBuilder kind = new StringBuilder("ridge ");
    kind.append(linear.isShared() ? "shared" : "per-arm").append(' ').append(linear.ridge());
    kind.append(' ').append(linear.forget()).append('\n').append(seen());
    if (linear.warmStart() != null) {
      kind.append('\n').append(spec.policy().name().wire()).append(' ').append(evidence());
    }
    return EstimatedLaw.fingerprint(spec, kind.toString(), listed.variables());
  }

  /** Returns why what was learned does not go on with more levels of a variable, or null. */
  @Nullable String refusalOfLevels(SpecVariable variable) {
    if (linear.warmStart() != null) {
      return "policy.warm-start weights its rows by the levels of all variables";
    }
    return variable.role() == VariableRole.SENSITIVE
        ? "effects, group means and duals are counted over the levels of a sensitive variable"
        : null;
  }

  /** Returns why what was learned does not go on with fewer levels of an action, or null. */
  @Nullable String refusalOfRemoval(SpecVariable variable) {
    if (linear.groups() != null) {
      return "policy.groups counts the rewards of all arms";
    }
    if (!shows(variable)) {
      return null;
    }
    if (!linear.forget().isNothing()) {
      return "policy.forget takes back what was learned, of which sums without the level tell no more";
    }
    return linear.isShared() && linear.thetaNorm() == null
        ? "the bound of theta counts only levels of the spec; state a policy.theta-norm that bounds"
            + " the coefficients of all levels that the model ever learns of"
        : null;
  }

  /** Returns whether features show a variable. */
  boolean shows(SpecVariable variable) {
    return seen().variables().contains(variable.name());
  }

  /** Writes the evidence so that equal evidence has one text. */
  private String evidence() {
    StringBuilder text = new StringBuilder();
    WarmStart start = Objects.requireNonNull(linear.warmStart());
    text.append(start.adjustFor());
    for (WarmStartRow row : start.rows()) {
      text.append('\n').append(row.arm()).append(' ').append(new TreeMap<>(row.context()));
      text.append(' ').append(row.n()).append(' ').append(row.mean());
    }
    return text.toString();
  }
}
