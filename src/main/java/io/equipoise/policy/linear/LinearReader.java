package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.Constraint;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.ExploreReader;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureMapReader;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.Forget;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.Ties;
import io.equipoise.segmentspec.VariableTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@code policy} says of a policy with linear rewards. */
final class LinearReader {
  private static final List<String> KEYS =
      List.of(
          "name",
          "ties",
          "causal-bounds",
          "features",
          "model",
          "ridge",
          "alpha",
          "theta-norm",
          "forget",
          "groups",
          "drop",
          "sample",
          "epsilon",
          "constraint",
          "explore",
          "warm-start",
          "adjust-for");

  private static final double DEFAULT_RIDGE = 1;
  private static final double DEFAULT_ALPHA = 1;
  private static final double DEFAULT_EPSILON = 0.1;
  private static final int DEFAULT_DRAWS = 100;
  private static final int MAX_DRAWS = 10_000;

  private final LinearPolicyName name;
  private final Section section;
  private final VariableTable variables;

  private LinearReader(LinearPolicyName name, Section section, VariableTable variables) {
    this.name = name;
    this.section = section;
    this.variables = variables;
  }

  /** Returns null after a fault, also in the reward. */
  static @Nullable PolicySpec read(LinearPolicyName name, PolicySection section) {
    CausalBoundsSpec causalBounds = section.causalBounds(name == LinearPolicyName.LINUCB_PCB);
    if (name.hasWarmStart()
        && section.refuses(
            "causal-bounds",
            "no causal-bounds: what refuted them would be the evidence; linucb-pcb takes them")) {
      return null;
    }
    Ties ties = section.ties();
    section.fields().refuseOthers(KEYS);
    if (section.refusesSeeded(name, ties)) {
      return null;
    }
    LinearSpec linear =
        new LinearReader(name, section.fields(), section.variables()).linear(section.reward());
    return linear == null ? null : new PolicySpec(name, Ties.LOWEST, causalBounds, linear);
  }

  private @Nullable LinearSpec linear(@Nullable RewardRule reward) {
    FeatureMap features = FeatureMapReader.read(section.get("features"), variables);
    Boolean isShared = isShared(section.get("model"));
    Field ridgeField = section.get("ridge");
    Double ridge = ridgeField == null ? Double.valueOf(DEFAULT_RIDGE) : ridgeField.ridge();
    Alpha alpha = alpha(section.get("alpha"));
    Double norm = thetaNorm(reward);
    Forget forget = forget(section.get("forget"));
    GroupSpec groups = groups(reward);
    List<String> dropped = DropReader.read(name, section.get("drop"), variables, features);
    Sample sample = sample();
    Constraint constraint = constraint(section.get("constraint"));
    Double epsilon = epsilon(constraint);
    ExploreSpec explore = explore(constraint);
    WarmStart warmStart = warmStart(features, forget, reward);
    boolean lacksEvidence = name.hasWarmStart() && warmStart == null;
    boolean lacksGroups = name == LinearPolicyName.FAIR_LINUCB && groups == null;
    if (features == null
        || isShared == null
        || ridge == null
        || alpha == null
        || norm == null
        || forget == null
        || lacksGroups
        || lacksEvidence
        || dropped == null
        || sample == null
        || constraint == null
        || epsilon == null
        || explore == null) {
      return null;
    }
    return new LinearSpec(
        features,
        isShared,
        ridge,
        alpha,
        norm,
        forget,
        groups,
        dropped,
        sample.scale(),
        sample.draws(),
        constraint,
        epsilon,
        explore,
        warmStart);
  }

  private @Nullable WarmStart warmStart(
      @Nullable FeatureMap features, @Nullable Forget forget, @Nullable RewardRule reward) {
    if (!name.hasWarmStart()) {
      WarmStartReader.refuse(section);
      return null;
    }
    Field forgets = section.get("forget");
    if (forgets != null && forget != null && !forget.equals(Forget.NOTHING)) {
      forgets.fault("nothing: evidence has no round at which it would be forgotten");
      return null;
    }
    return features == null || reward == null
        ? null
        : WarmStartReader.read(name, section, variables, features, reward);
  }

  private static @Nullable Boolean isShared(@Nullable Field field) {
    if (field == null) {
      return Boolean.FALSE;
    }
    Model theta = field.oneOf(Model.values(), Model::wire);
    return theta == null ? null : Boolean.valueOf(theta == Model.SHARED);
  }

  private enum Model {
    DISJOINT("disjoint"),
    SHARED("shared");

    private final String wire;

    Model(String wire) {
      this.wire = wire;
    }

    String wire() {
      return wire;
    }
  }

  private @Nullable Alpha alpha(@Nullable Field field) {
    if (field == null) {
      return new Alpha.Fixed(DEFAULT_ALPHA);
    }
    if (name == LinearPolicyName.LIN_TS) {
      field.fault("no alpha: sample: {scale} says how wide lin-ts samples");
    } else if (name == LinearPolicyName.EPSILON_GREEDY) {
      field.fault("no alpha: epsilon-greedy explores by epsilon");
    }
    if (field.isScalar()) {
      Double fixed = field.number();
      if (fixed != null && (fixed < 0 || fixed > 1e6)) {
        field.fault("a number from 0 to 1e6, or {delta: ...}, or {self-normalized: ...}");
        return null;
      }
      return fixed == null ? null : new Alpha.Fixed(fixed);
    }
    Section section = Section.of(field, "delta", "self-normalized");
    Field delta = section.get("delta");
    Field all = section.get("self-normalized");
    if (section.isMapping() && (delta == null) == (all == null)) {
      field.fault("one of delta and self-normalized, each a probability");
      return null;
    }
    Double probability = delta != null ? probability(delta) : all != null ? probability(all) : null;
    if (probability == null) {
      return null;
    }
    return delta != null ? new Alpha.OfDelta(probability) : new Alpha.SelfNormalized(probability);
  }

  private static @Nullable Double probability(Field field) {
    Double value = field.number();
    if (value != null && (value <= 0 || value >= 1)) {
      field.fault("a probability between 0 and 1, neither of them");
      return null;
    }
    return value;
  }

  /** Without a bound of its own, features of size 1 explain at most the largest reward. */
  private @Nullable Double thetaNorm(@Nullable RewardRule reward) {
    Field field = section.get("theta-norm");
    if (field != null) {
      return field.positive();
    }
    if (reward == null) {
      return null;
    }
    return Math.max(Math.abs(reward.range().low()), Math.abs(reward.range().high()));
  }

  static @Nullable Forget forget(@Nullable Field field) {
    if (field == null) {
      return Forget.NOTHING;
    }
    Section section = Section.of(field, "discount", "rounds");
    Field discountField = section.get("discount");
    Field roundsField = section.get("rounds");
    if (section.isMapping() && (discountField == null) == (roundsField == null)) {
      field.fault("one of discount and rounds");
      return null;
    }
    if (discountField != null) {
      Double discount = probability(discountField);
      return discount == null ? null : new Forget(discount, 0);
    }
    Long rounds = roundsField == null ? null : roundsField.whole(1, 1_000_000);
    return rounds == null ? null : new Forget(1, rounds.intValue());
  }

  private @Nullable GroupSpec groups(@Nullable RewardRule reward) {
    if (name != LinearPolicyName.FAIR_LINUCB) {
      Field field = section.get("groups");
      if (field != null) {
        field.fault("only fair-linucb balances groups");
      }
      return null;
    }
    Field field = section.require("groups", "attribute, privileged and protected levels");
    if (field == null) {
      return null;
    }
    return GroupReader.read(field, variables, reward);
  }

  private record Sample(double scale, int draws) {}

  private @Nullable Sample sample() {
    Field field = section.get("sample");
    if (field == null) {
      return new Sample(1, DEFAULT_DRAWS);
    }
    if (name != LinearPolicyName.LIN_TS) {
      field.fault("only lin-ts samples");
      return null;
    }
    Section sample = Section.of(field, "scale", "draws");
    Field scaleField = sample.get("scale");
    Field drawsField = sample.get("draws");
    Double scale = scaleField == null ? Double.valueOf(1) : scaleField.positive();
    Long draws = drawsField == null ? Long.valueOf(DEFAULT_DRAWS) : drawsField.whole(1, MAX_DRAWS);
    return scale == null || draws == null ? null : new Sample(scale, draws.intValue());
  }

  private @Nullable Constraint constraint(@Nullable Field field) {
    if (field == null) {
      return Constraint.NONE;
    }
    Constraint constraint = field.oneOf(Constraint.values(), Constraint::wire);
    if (constraint != null && constraint != Constraint.NONE && name.hasWarmStart()) {
      field.fault("none: certificates would rest on evidence that may be biased");
      return null;
    }
    if (constraint != null
        && constraint != Constraint.NONE
        && (name == LinearPolicyName.FAIR_LINUCB || name == LinearPolicyName.LIN_TS)) {
      field.fault(name.wire() + " takes no constraint on effects; linucb and epsilon-greedy do");
      return null;
    }
    return constraint;
  }

  /** Returns what a price aims below tau; of epsilon-greedy the key means another thing. */
  private @Nullable Double epsilon(@Nullable Constraint constraint) {
    Field field = section.get("epsilon");
    if (field == null || constraint == null || name == LinearPolicyName.EPSILON_GREEDY) {
      return 0.0;
    }
    if (!constraint.isPrice()) {
      field.fault(
          "none: with constraint: dual or dual-upper it is what the price aims below tau, and of"
              + " epsilon-greedy the share that explores; explore: {share, over} does elsewhere");
      return null;
    }
    Double epsilon = field.number();
    if (epsilon != null && epsilon < 0) {
      field.fault("a number from 0 to below tau");
      return null;
    }
    return epsilon;
  }

  private @Nullable ExploreSpec explore(@Nullable Constraint constraint) {
    Field epsilon = section.get("epsilon");
    Field field = section.get("explore");
    if (name == LinearPolicyName.EPSILON_GREEDY) {
      if (field != null) {
        field.fault("epsilon, the share that epsilon-greedy explores");
      }
      Double share = epsilon == null ? Double.valueOf(DEFAULT_EPSILON) : probability(epsilon);
      return share == null ? null : new ExploreSpec(share, constraint != Constraint.HARD);
    }
    boolean hasFairSet = constraint == null || constraint == Constraint.HARD;
    return ExploreReader.read(
        field,
        hasFairSet ? null : "over: all, or constraint: hard, without which there is no fair set",
        constraint == Constraint.HARD || constraint == Constraint.SCREEN);
  }
}
