package io.equipoise.policy.logistic;

import io.equipoise.policy.AssumptionFindings;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CheckFindings;
import io.equipoise.policy.FeatureFindings;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamily;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DualSchedule;
import io.equipoise.policy.linear.ExpectedDesigns;
import io.equipoise.policy.logistic.LogisticSpec.Dual;
import io.equipoise.policy.logistic.LogisticSpec.Limit;
import io.equipoise.policy.logistic.LogisticSpec.Radius;
import io.equipoise.segmentspec.DefaultReward;
import io.equipoise.segmentspec.ExploreReader;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureMapReader;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.Ties;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.VariableTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Declares the policies whose statistics are a logistic regression over features; rewards are 0 and
 * 1.
 */
public final class LogisticFamily implements PolicyFamily {
  @Override
  public String name() {
    return "logistic";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public List<? extends PolicyName> policies() {
    return List.of(
        LogisticPolicyName.GLM_UCB,
        LogisticPolicyName.OFULOG,
        LogisticPolicyName.CCLB,
        LogisticPolicyName.EPS_CCLB,
        LogisticPolicyName.SCREEN,
        LogisticPolicyName.DUAL_UPPER,
        LogisticPolicyName.FORCED_EXPLORATION);
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    return LogisticReader.read((LogisticPolicyName) name, section);
  }

  @Override
  public Policy compile(SegmentSpec spec) {
    return LogisticPolicy.compile(spec);
  }

  @Override
  public Map<Integer, Supplier<StateBlock>> formats() {
    return Map.of(
        (int) StreamingModel.FORMAT, StreamingModel::new,
        (int) StreamingModel.REDUCED, StreamingModel::reduced,
        (int) LogisticMemory.FORMAT, LogisticMemory::new,
        (int) PairsBlock.FORMAT, PairsBlock::new);
  }

  @Override
  public @Nullable CertificateForecast forecast(Policy policy, Expected expected) {
    return ((LogisticPolicy) policy).forecast(expected);
  }

  @Override
  public @Nullable String whyNoForecast(Policy policy) {
    return ExpectedDesigns.whyNoForecast(((LogisticPolicy) policy).isTooLarge());
  }

  @Override
  public void assumptions(Policy policy, AssumptionFindings findings) {
    LogisticSpec spec = LogisticSpec.of(policy.spec());
    findings.untested(
        "coefficients of norm " + spec.thetaNorm() + " at most",
        "the intervals of a logistic model are approximate");
    findings.features(spec.features(), "logistic", false, null);
  }

  @Override
  public void check(Policy policy, CheckFindings findings) {
    LogisticPolicy logistic = (LogisticPolicy) policy;
    FeatureFindings.dimension(logistic.dimension(), findings);
    FeatureFindings.effects(logistic.spec(), logistic.seen, findings);
    if (logistic.isEllipsoidLeft()) {
      findings.line("  %s", CertificateForecast.ELLIPSOID_LEFT);
    }
    logistic.warnings().forEach(findings::warn);
  }

  /** Reads what {@code policy} says of a policy with logistic rewards. */
  private record LogisticReader(LogisticPolicyName name, Section section, VariableTable variables) {
    /** The standard deviations of the log odds that an index reaches above them. */
    private static final double WIDTH = 2;

    /** Returns null after a fault, also in the reward. */
    static @Nullable PolicySpec read(LogisticPolicyName name, PolicySection section) {
      Ties ties = section.ties();
      LogisticSpec logistic =
          new LogisticReader(name, section.fields(), section.variables())
              .logistic(section.reward(), ties);
      return logistic == null || ties == null ? null : new PolicySpec(name, ties, null, logistic);
    }

    private @Nullable LogisticSpec logistic(@Nullable RewardRule reward, @Nullable Ties ties) {
      if (reward != null) {
        checkBinary(reward);
      }
      FeatureMap features = FeatureMapReader.read(section, variables, true);
      double norm = section.number("theta-norm");
      Radius radius = radius(section.sectionOrDefaults("radius"));
      Double width = width();
      Double epsilon = section.optionalNumber("epsilon");
      Map<String, Limit> limits = limits(section.names("limits"));
      Dual dual = dual(section.sectionOrDefaults("dual"));
      double slack = section.number("slack");
      ExploreSpec explore = ExploreReader.read(section, null, name.hasScreen());
      if (features == null
          || radius == null
          || dual == null
          || explore == null
          || !section.isSound()) {
        return null;
      }
      boolean isSeeded = ties == Ties.SEEDED;
      return new LogisticSpec(
          features, norm, radius, width, epsilon, limits, dual, slack, isSeeded, explore);
    }

    /** Returns null for the width that the radius gives. */
    private @Nullable Double width() {
      Field index = section.get("index");
      boolean isPaper = index != null && index.isScalar() && "paper".equals(index.text());
      boolean isOfRadius = index == null && section.get("radius") != null;
      return isPaper || isOfRadius || !name.hasOwnWidth() ? null : section.number("index", WIDTH);
    }

    private void checkBinary(RewardRule reward) {
      NumberRange numberRange = reward.range();
      DefaultReward byDefault = reward.byDefault();
      boolean isUnit = numberRange.low() == 0 && numberRange.high() == 1;
      if (!isUnit) {
        section
            .field()
            .fault(
                name.wire()
                    + " with rewards from "
                    + Field.shown(numberRange.low())
                    + " to "
                    + Field.shown(numberRange.high()),
                "reward.range [0, 1]: a logistic policy learns from 0 and 1 only; linucb takes"
                    + " others");
      }
      boolean isDefault = byDefault == null || byDefault.value() == 0 || byDefault.value() == 1;
      if (!isDefault) {
        section
            .field()
            .fault(
                name.wire() + " with the default reward " + Field.shown(byDefault.value()),
                "reward.default.value 0 or 1, or none: a logistic policy learns from them only");
      }
    }

    private static @Nullable Radius radius(Section radius) {
      RadiusKind kind = radius.word("kind", RadiusKind.class);
      double delta = radius.number("delta");
      Double scale = radius.optionalNumber("scale");
      return kind == null ? null : new Radius(kind, delta, scale);
    }

    private Map<String, Limit> limits(@Nullable Section attributes) {
      Map<String, Limit> limits = new TreeMap<>();
      if (attributes != null) {
        attributes.refuseOthers(variables.names(VariableRole.SENSITIVE));
        attributes
            .fields()
            .forEach(
                (attribute, field) -> {
                  Section limit = section.inner(field, "policy.limits.NAME");
                  limits.put(
                      attribute,
                      new Limit(limit.optionalNumber("tau"), limit.optionalNumber("epsilon")));
                });
      }
      return limits;
    }

    private static @Nullable Dual dual(Section dual) {
      double cap = dual.number("cap");
      DualSchedule.ScheduleKind schedule = dual.word("schedule", DualSchedule.ScheduleKind.class);
      Field horizon = dual.get("horizon");
      if (schedule == DualSchedule.ScheduleKind.FIXED) {
        dual.require("horizon", "the number of decisions T that fixed is for");
      } else if (schedule != null && horizon != null) {
        horizon.fault("only schedule: fixed has a horizon");
        return null;
      }
      long given = dual.whole("horizon");
      return schedule == null || !dual.isSound()
          ? null
          : new Dual(cap, new DualSchedule(schedule, given));
    }
  }
}
