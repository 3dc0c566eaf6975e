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
import io.equipoise.segmentspec.KeyType;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.Ties;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.VariableTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code policy} of a policy with linear rewards. */
final class LinearReader {
  private static final double DEFAULT_EPSILON = 0.1;

  /** The factor of papers. */
  private static final double PAPER_ALPHA = 1;

  /** The standard deviations of rewards that an index reaches above the mean. */
  private static final double WIDTH = 2;

  /** The least {@code explore.share}. */
  private static final double LEAST_EPSILON = 1e-9;

  private final LinearPolicyName name;
  private final PolicySection policy;
  private final Section section;

  private LinearReader(LinearPolicyName name, PolicySection policy) {
    this.name = name;
    this.policy = policy;
    this.section = policy.fields();
  }

  /** Returns null after a fault, also in the reward. */
  static @Nullable PolicySpec read(LinearPolicyName name, PolicySection section) {
    CausalBoundsSpec causalBounds = section.causalBounds();
    Ties ties = section.ties();
    LinearSpec linear = new LinearReader(name, section).linear(section.reward());
    return linear == null || ties == null ? null : new PolicySpec(name, ties, causalBounds, linear);
  }

  private @Nullable LinearSpec linear(@Nullable RewardRule reward) {
    Model model = section.word("model", Model.class);
    FeatureMap features = FeatureMapReader.read(section, policy.variables(), model == Model.SHARED);
    double ridge = section.number("ridge");
    Alpha alpha = alpha();
    Double norm = section.optionalNumber("theta-norm");
    Forget forget = forget(section);
    Section groupSection = section.section("groups");
    GroupSpec groups =
        groupSection == null ? null : GroupReader.read(groupSection, policy.variables(), reward);
    List<String> dropped = DropReader.read(name, section, policy.variables(), features);
    Section sample = section.sectionOrDefaults("sample");
    double sampleScale = sample.number("scale");
    int draws = (int) sample.whole("draws");
    Constraint constraint = constraint();
    double epsilon = epsilon(constraint);
    ExploreSpec explore = explore(constraint, epsilon);
    WarmStart warmStart = warmStart(features, forget, reward);
    if (features == null
        || model == null
        || alpha == null
        || forget == null
        || dropped == null
        || constraint == null
        || explore == null
        || reward == null
        || (name.hasWarmStart() && warmStart == null)
        || !section.isSound()) {
      return null;
    }
    return new LinearSpec(
        features,
        model == Model.SHARED,
        ridge,
        alpha,
        norm,
        forget,
        groups,
        dropped,
        sampleScale,
        draws,
        constraint,
        name == LinearPolicyName.EPSILON_GREEDY ? 0 : epsilon,
        explore,
        warmStart);
  }

  private @Nullable WarmStart warmStart(
      @Nullable FeatureMap features, @Nullable Forget forget, @Nullable RewardRule reward) {
    Field forgets = section.get("forget");
    if (name.hasWarmStart() && forgets != null && forget != null) {
      forgets.fault("nothing: evidence has no round at which it would be forgotten");
      return null;
    }
    return !name.hasWarmStart() || features == null || reward == null
        ? null
        : WarmStartReader.read(section, policy.variables(), features, reward);
  }

  private enum Model {
    DISJOINT,
    SHARED
  }

  private @Nullable Alpha alpha() {
    Field field = section.get("alpha");
    Field index = section.get("index");
    if (index != null && field != null) {
      index.fault("alone, or alpha alone: both state how wide the index is");
      return null;
    }
    boolean isPaper = index != null && index.isScalar() && "paper".equals(index.text());
    if (field == null && name.hasOwnWidth() && !isPaper) {
      double width = section.number("index", WIDTH);
      return Double.isNaN(width) ? null : new Alpha.OfRewards(width);
    }
    if (field == null || field.isScalar()) {
      double fixed = section.number("alpha", PAPER_ALPHA);
      return Double.isNaN(fixed) ? null : new Alpha.Fixed(fixed);
    }
    Section mapping = section.section("alpha");
    Map.Entry<String, Field> only = mapping == null ? null : mapping.only();
    double probability = only == null ? Double.NaN : mapping.number(only.getKey());
    if (only == null || Double.isNaN(probability)) {
      return null;
    }
    return only.getKey().equals("self-normalized")
        ? new Alpha.SelfNormalized(probability)
        : new Alpha.OfDelta(probability);
  }

  /** Reads the key {@code forget} of a section; null after a fault. */
  static @Nullable Forget forget(Section of) {
    Section section = of.section("forget");
    if (section == null) {
      return Forget.NOTHING;
    }
    Map.Entry<String, Field> only = section.only();
    if (only == null) {
      return null;
    }
    boolean isDiscount = only.getKey().equals("discount");
    double discount = isDiscount ? section.number("discount") : 1;
    int rounds = isDiscount ? 0 : (int) section.whole("rounds");
    return section.isSound() ? new Forget(discount, rounds) : null;
  }

  private @Nullable Constraint constraint() {
    Constraint constraint = section.word("constraint", Constraint.class);
    Field field = section.get("constraint");
    if (field == null || constraint == null || constraint == Constraint.NONE) {
      return constraint;
    }
    if (name.hasWarmStart()) {
      field.fault("none: certificates would rest on evidence that may be biased");
    } else if (name == LinearPolicyName.FAIR_LINUCB || name == LinearPolicyName.LIN_TS) {
      field.fault(name.wire() + " takes no constraint on effects; linucb and epsilon-greedy do");
    }
    return constraint;
  }

  /** Returns the share that epsilon-greedy explores, else what a price aims below tau. */
  private double epsilon(@Nullable Constraint constraint) {
    Field field = section.get("epsilon");
    if (name == LinearPolicyName.EPSILON_GREEDY) {
      double share = section.number("epsilon", DEFAULT_EPSILON);
      if (field != null && !Double.isNaN(share) && !(share >= LEAST_EPSILON && share < 1)) {
        field.fault("a number from " + Field.shown(LEAST_EPSILON) + " to below 1");
      }
      return share;
    }
    if (field != null && constraint != null && !constraint.isPrice()) {
      field.fault(
          "none: with constraint: dual or dual-upper it is what the price aims below tau, and of"
              + " epsilon-greedy the share that explores; explore: {share, over} does elsewhere");
      return 0;
    }
    double epsilon = constraint == null ? 0 : section.number("epsilon", 0);
    if (field != null && epsilon < 0) {
      field.fault("a number from 0 to below tau");
    }
    return epsilon;
  }

  private @Nullable ExploreSpec explore(@Nullable Constraint constraint, double epsilon) {
    if (name == LinearPolicyName.EPSILON_GREEDY) {
      Field field = section.get("explore");
      if (field != null) {
        field.fault("epsilon, the share that epsilon-greedy explores");
      }
      return section.isSound()
          ? new ExploreSpec(
              epsilon,
              constraint == Constraint.HARD ? ExploreSpec.Over.FAIR_SET : ExploreSpec.Over.ALL)
          : null;
    }
    boolean hasFairSet = constraint == null || constraint == Constraint.HARD;
    return ExploreReader.read(
        section,
        hasFairSet ? null : "all; fair-set needs constraint: hard",
        constraint != null && constraint.isSelective());
  }

  /**
   * Reads {@code policy.drop}: the variables that {@code linucb-unaware} must not see. They are
   * named, or follow from a correlation with a sensitive variable that is stated for every context
   * variable. So the text of the spec alone says what is dropped, wherever and whenever it is read.
   */
  private record DropReader(VariableTable variables) {
    private static final String SHAPES =
        "a list of variables, or {correlated: 0.3, correlations: {variable: correlation, ...}}";

    /**
     * Returns null after a fault.
     *
     * @param features null after a fault in them
     */
    static @Nullable List<String> read(
        LinearPolicyName name,
        Section policy,
        VariableTable variables,
        @Nullable FeatureMap features) {
      if (name != LinearPolicyName.LINUCB_UNAWARE) {
        return List.of();
      }
      Field field = policy.get("drop");
      if (field == null) {
        return variables.names(VariableRole.SENSITIVE);
      }
      if (field.isScalar()) {
        field.fault(SHAPES);
        return null;
      }
      DropReader reader = new DropReader(variables);
      return field.isList()
          ? reader.named(field)
          : reader.correlated(policy.inner(field, "policy.drop"), features);
    }

    private @Nullable List<String> named(Field field) {
      List<String> dropped = new ArrayList<>();
      for (Field item : field.items()) {
        String variable = item.text();
        VariableRole variableRole = variable == null ? null : variables.role(variable);
        if (variable == null || variableRole == null || !variableRole.isFeature()) {
          item.fault("a context or sensitive variable");
          return null;
        }
        dropped.add(variable);
      }
      return dropped;
    }

    /** Returns the sensitive variables and the context variables beyond the threshold. */
    private @Nullable List<String> correlated(Section section, @Nullable FeatureMap features) {
      double beyond = section.number("correlated");
      Section stated = section.names("correlations");
      Map<String, Double> correlations =
          stated == null ? null : correlations(stated, section.itemType("correlations"));
      if (stated == null
          || correlations == null
          || features == null
          || !section.isSound()
          || !isComplete(stated.field(), correlations, features)) {
        return null;
      }
      List<String> dropped = new ArrayList<>(variables.names(VariableRole.SENSITIVE));
      for (String variable : variables.names(VariableRole.CONTEXT)) {
        if (Math.abs(correlations.getOrDefault(variable, 0.0)) > beyond) {
          dropped.add(variable);
        }
      }
      return dropped;
    }

    private @Nullable Map<String, Double> correlations(Section section, KeyType type) {
      section.refuseOthers(variables.names(VariableRole.CONTEXT));
      Map<String, Double> correlations = new HashMap<>();
      section.fields().forEach((variable, value) -> correlations.put(variable, value.number(type)));
      return section.isSound() ? correlations : null;
    }

    /** A variable of which nothing is said would be seen without anyone having decided that. */
    private boolean isComplete(Field field, Map<String, Double> stated, FeatureMap features) {
      for (String variable : features.variables()) {
        if (variables.role(variable) == VariableRole.CONTEXT && !stated.containsKey(variable)) {
          field.fault(
              "no correlation of " + variable, "one of every context variable that features show");
          return false;
        }
      }
      return true;
    }
  }
}
