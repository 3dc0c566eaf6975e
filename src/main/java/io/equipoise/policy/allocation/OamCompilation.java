package io.equipoise.policy.allocation;

import io.equipoise.policy.features.CoefficientBound;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.policy.linear.Radius;
import io.equipoise.policy.linear.RidgeEffects;
import io.equipoise.policy.linear.RidgeModel;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.FairnessSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles a spec into the parts of allocation matching, or reports its faults. */
final class OamCompilation {
  /** A solution costs O(rows^3) a step: within {@value} rows, a third of a second at most. */
  private static final int MAX_ROWS = 64;

  private final SegmentSpec spec;
  private final OamSpec oam;
  final OamContexts contexts;
  final SeenAttributes attributes;
  final FeatureEncoder encoder;
  final RidgeModel model;
  final OamTable table;
  final OamSchedule schedule;

  OamCompilation(SegmentSpec spec) {
    this.spec = spec;
    this.oam = OamSpec.of(spec);
    Variables variables = spec.variables();
    contexts = new OamContexts(variables.features());
    int arms = spec.arms().size();
    if (contexts.count() * arms > MAX_ROWS) {
      throw fault(
          "policy.name",
          "%s with %.0f contexts of %d arms"
              .formatted(spec.policy().name().wire(), contexts.count(), arms),
          "at most "
              + MAX_ROWS
              + " in all: it solves for every context and arm together; linucb takes more");
    }
    attributes = new SeenAttributes(spec, oam.features(), true);
    List<SpecFault> confounded = attributes.confounded();
    if (!confounded.isEmpty()) {
      throw new SpecException(confounded);
    }
    encoder = new FeatureEncoder(oam.features(), variables.features(), variables.actions());
    model = RidgeModel.of(encoder.dimension(), oam.ridge());
    table = tabulate();
    schedule =
        new OamSchedule(oam.horizon(), table.dimension, oam.variance(), oam.kappa(), oam.epsilon());
  }

  private OamTable tabulate() {
    int arms = spec.arms().size();
    int numbers =
        (int) spec.variables().features().stream().filter(SpecVariable::isNumeric).count();
    int size = (int) contexts.count();
    double[][] features = new double[size * arms][encoder.dimension()];
    boolean isZero = true;
    for (int row = 0; row < features.length; row++) {
      Profile person = new Profile(contexts.levels(row / arms), new double[numbers]);
      encoder.encode(person, Profile.ofArm(spec.arms().get(row % arms)), features[row]);
      for (double feature : features[row]) {
        isZero &= feature == 0;
      }
    }
    if (isZero) {
      throw fault("policy.features", "features that are all 0", "some that are not");
    }
    return new OamTable(size, arms, features);
  }

  private static SpecException fault(String place, String given, String allowed) {
    return new SpecException(List.of(new SpecFault(place, given, allowed)));
  }

  /** The audit's radius is the spec's delta's, over one theta for all arms. */
  RidgeEffects effects() {
    return new RidgeEffects(model, anytime(spec.fairness().delta()), spec.reward().range().width());
  }

  /** Returns the radius at which causal bounds are refuted. */
  Radius refuting() {
    return anytime(
        spec.policy().causalBounds() == null
            ? spec.fairness().delta()
            : spec.policy().causalBounds().delta());
  }

  private Radius anytime(double delta) {
    FairnessSpec fairness = spec.fairness();
    double norm = CoefficientBound.of(spec, oam.features(), true, oam.thetaNorm()).norm();
    return new Radius.SelfNormalized(fairness.scale(), norm, delta);
  }

  /**
   * Returns a hash of what the statistics mean: of settings of this spec, and of the arms and
   * variables that another one lists, rows being of this catalog in this order.
   */
  String fingerprint(SegmentSpec listed) {
    StringBuilder kind = new StringBuilder("oam ").append(oam.ridge()).append('\n');
    kind.append(oam.features());
    for (Arm arm : listed.arms().list()) {
      kind.append('\n').append(arm.id().length()).append(':').append(arm);
    }
    return EstimatedLaw.fingerprint(spec, kind.toString(), listed.variables());
  }

  /** Returns why what was learned does not go on with more levels of a variable, or null. */
  @Nullable String refusalOfLevels(SpecVariable variable) {
    return variable.role() == VariableRole.SENSITIVE
        ? "effects are counted over the levels of a sensitive variable"
        : null;
  }

  /**
   * Numbers the joint levels of people's variables, mixed radix, the first variable the slowest. A
   * variable that may be undisclosed has one level more. Immutable.
   */
  static final class OamContexts {
    private final int[] sizes;

    OamContexts(List<SpecVariable> people) {
      sizes =
          people.stream()
              .mapToInt(variable -> Math.max(variable.levels().size(), variable.undisclosed() + 1))
              .toArray();
    }

    /** Returns how many there are; infinite or inexact beyond 2^53. */
    double count() {
      double count = 1;
      for (int size : sizes) {
        count *= size;
      }
      return count;
    }

    int of(int[] levels) {
      int context = 0;
      for (int place = 0; place < sizes.length; place++) {
        context = context * sizes[place] + levels[place];
      }
      return context;
    }

    int[] levels(int context) {
      int[] levels = new int[sizes.length];
      int rest = context;
      for (int place = sizes.length - 1; place >= 0; place--) {
        levels[place] = rest % sizes[place];
        rest /= sizes[place];
      }
      return levels;
    }
  }
}
