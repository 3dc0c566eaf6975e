package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.features.SensitivePairs;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.policy.linear.ContrastPlan;
import io.equipoise.policy.linear.FeatureVector;
import io.equipoise.policy.linear.KnownContrasts;
import io.equipoise.policy.linear.Radius;
import io.equipoise.policy.logistic.LogisticSpec.Limit;
import io.equipoise.segmentspec.CertificatesSpec;
import io.equipoise.segmentspec.Intersections;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles a spec into the parts of a logistic policy, or reports all its faults. */
final class LogisticCompilation {
  private static final int MAX_FEATURES = 1024;
  private static final int MAX_FEATURES_OF_FORCED_EXPLORATION = 256;
  private static final Limit NO_OWN_LIMIT = new Limit(null, null);

  private final SegmentSpec spec;
  private final LogisticSpec logistic;
  final FeatureEncoder encoder;
  final SeenAttributes attributes;
  final LogisticScale scale;
  private final PolicyParameters parameters;

  LogisticCompilation(SegmentSpec spec) {
    this.spec = spec;
    this.logistic = LogisticSpec.of(spec);
    Variables variables = spec.variables();
    encoder = new FeatureEncoder(logistic.features(), variables.features(), variables.actions());
    List<SpecFault> faults = new ArrayList<>();
    refuseTooMany(faults);
    attributes = new SeenAttributes(spec, logistic.features(), true);
    if (spec.policy().name().isConstrained()) {
      faults.addAll(attributes.faults(spec.policy().name().wire()));
    }
    faults.addAll(attributes.confounded());
    faults.addAll(attributes.notCollapsible());
    List<Double> taus = taus(faults);
    refuseEpsilons(taus, faults);
    if (hasPairs()) {
      faults.addAll(PairsPlan.faults(spec, logistic.features()));
    }
    if (!faults.isEmpty()) {
      throw new SpecException(faults);
    }
    scale = new LogisticScale(encoder.dimension(), logistic.thetaNorm());
    PolicyParameters defaults =
        PolicyParameters.defaults(name(), effects(), logistic.radius().delta(), taus);
    parameters = withSettings(defaults, limits(defaults, taus));
  }

  /** Returns the policy, whose audit has the spec's delta whatever the policy was tuned with. */
  LogisticRule policy() {
    return new LogisticRule(parameters, ConfidenceRadius.ofAudit(deltaOfEllipsoid()));
  }

  private double deltaOfEllipsoid() {
    double delta = spec.fairness().delta();
    return hasContrasts() ? DeltaShares.ELLIPSOID * delta : delta;
  }

  private boolean hasContrasts() {
    return spec.fairness().certificates().interval() == CertificatesSpec.IntervalMethod.CONTRAST;
  }

  private boolean hasPairs() {
    return spec.fairness().certificates().interval() == CertificatesSpec.IntervalMethod.PAIRS;
  }

  /** Returns the matched pairs that certify effects; null where the spec wants none. */
  @Nullable PairsPlan pairs() {
    return hasPairs() ? new PairsPlan(spec, logistic.features(), parameters) : null;
  }

  /**
   * Returns the contrasts of log odds that have intervals of their own; null where the spec wants
   * none. They are as long as those of people with one feature of 1 a term.
   */
  @Nullable ContrastPlan contrasts() {
    if (!hasContrasts()) {
      return null;
    }
    CertificatesSpec certificates = spec.fairness().certificates();
    double tau = spec.fairness().tau();
    for (EffectLimit limit : parameters.limits()) {
      tau = Math.min(tau, limit.tau());
    }
    if (effects() == EffectScale.LOG_ODDS) {
      tau *= Logistic.slope(0); // of probabilities near even odds, as elsewhere
    }
    ContrastPlan.Terms terms =
        new ContrastPlan.Terms(
            spec.fairness().delta(),
            tau,
            0,
            1,
            Double.NaN,
            certificates.sticky(),
            certificates.contrasts());
    int n = scale.n();
    double unit = 1 / Math.sqrt(logistic.features().terms().size());
    List<FeatureVector> known = new ArrayList<>();
    for (FeatureVector c : known().all()) {
      double[] values = new double[n];
      for (int i = 0; i < n; i++) {
        values[i] = c.value(i) * unit;
      }
      known.add(FeatureVector.of(values));
    }
    Radius radius = new Radius.Laplace(scale.s(), n, deltaOfEllipsoid());
    return new ContrastPlan(known, 1, terms, radius, unit, scale.s() * unit * Math.sqrt(n));
  }

  private EffectScale effects() {
    return EffectScale.of(spec.fairness().unit());
  }

  /** Returns the contrasts that follow from the spec. */
  KnownContrasts known() {
    return new KnownContrasts(spec, encoder, attributes, logistic.features());
  }

  private LogisticPolicyName name() {
    return (LogisticPolicyName) spec.policy().name();
  }

  private void refuseTooMany(List<SpecFault> faults) {
    int d = encoder.dimension();
    boolean isForcedExploration = spec.policy().name() == LogisticPolicyName.FORCED_EXPLORATION;
    int most = isForcedExploration ? MAX_FEATURES_OF_FORCED_EXPLORATION : MAX_FEATURES;
    if (d > most) {
      faults.add(
          new SpecFault(
              "policy.features",
              logistic.features().count(d, spec.variables(), true),
              "at most "
                  + most
                  + ", fewer terms or levels"
                  + (isForcedExploration
                      ? ": forced-exploration multiplies d x d matrices at every decision"
                      : ": the model keeps 2 d^2 numbers")));
    }
  }

  /** Returns the threshold of every sensitive attribute, in the order of the features. */
  private List<Double> taus(List<SpecFault> faults) {
    List<Double> taus = new ArrayList<>();
    double byDefault = spec.fairness().tau();
    if (effects() == EffectScale.PROBABILITY && byDefault > 1) {
      faults.add(
          new SpecFault(
              "fairness.tau",
              String.valueOf(byDefault),
              "at most 1: rewards are 0 or 1, so no effect is larger"));
    }
    for (String attribute : constrained()) {
      Double own = limitOf(attribute).tau();
      if (own != null && effects() == EffectScale.LOG_ODDS) {
        faults.add(
            new SpecFault(
                "policy.limits." + attribute + ".tau",
                String.valueOf(own),
                "no tau of its own with fairness.odds-ratio"));
      }
      taus.add(own == null ? byDefault : own);
    }
    return taus;
  }

  private void refuseEpsilons(List<Double> taus, List<SpecFault> faults) {
    for (int place = 0; place < taus.size(); place++) {
      String attribute = constrained().get(place);
      boolean isOwn = limitOf(attribute).epsilon() != null;
      @Nullable Double given = epsilonOf(attribute);
      double tau = taus.get(place);
      if (given != null && given >= tau) {
        faults.add(
            new SpecFault(
                isOwn ? "policy.limits." + attribute + ".epsilon" : "policy.epsilon",
                String.valueOf(given),
                "less than tau, which for " + attribute + " is " + tau));
      }
    }
  }

  private List<EffectLimit> limits(PolicyParameters defaults, List<Double> taus) {
    List<EffectLimit> limits = new ArrayList<>();
    for (int place = 0; place < taus.size(); place++) {
      @Nullable Double given = epsilonOf(constrained().get(place));
      limits.add(
          given == null ? defaults.limits().get(place) : new EffectLimit(taus.get(place), given));
    }
    return limits;
  }

  private @Nullable Double epsilonOf(String attribute) {
    Double own = limitOf(attribute).epsilon();
    return own == null ? logistic.epsilon() : own;
  }

  /** Returns the names of what is constrained: attributes, then those changed together. */
  private List<String> constrained() {
    Intersections intersections = Intersections.of(spec);
    return new SensitivePairs(spec).attributes().stream().map(intersections::name).toList();
  }

  private Limit limitOf(String attribute) {
    return logistic.limits().getOrDefault(attribute, NO_OWN_LIMIT);
  }

  private PolicyParameters withSettings(PolicyParameters defaults, List<EffectLimit> limits) {
    LogisticSpec.Radius radius = logistic.radius();
    double factor = radius.scale() == null ? defaults.radius().scale() : radius.scale();
    return new PolicyParameters(
        defaults.name(),
        effects(),
        limits,
        new ConfidenceRadius(radius.kind(), radius.delta(), factor),
        logistic.width(),
        logistic.dual().cap(),
        logistic.dual().schedule(),
        defaults.effectAt(),
        logistic.slack(),
        defaults.exploration());
  }

  /**
   * Returns a hash of what the statistics mean over the variables that a spec lists; policy,
   * limits, radius and arms do not count.
   */
  String fingerprint(SegmentSpec listed) {
    String kind = "logistic, norm %s\n%s".formatted(logistic.thetaNorm(), logistic.features());
    return EstimatedLaw.fingerprint(spec, kind, listed.variables());
  }

  /** Returns why what was learned does not go on with more levels of a variable, or null. */
  @Nullable String refusalOfLevels(SpecVariable variable) {
    if (variable.role() == VariableRole.SENSITIVE) {
      return "effects and duals are counted over the levels of a sensitive variable";
    }
    boolean isOfCells =
        variable.role() == VariableRole.CONTEXT
            && logistic.features().variables().contains(variable.name());
    return hasPairs() && isOfCells ? "matched pairs are counted over its levels" : null;
  }
}
