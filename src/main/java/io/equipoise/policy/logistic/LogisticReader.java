package io.equipoise.policy.logistic;

import io.equipoise.policy.logistic.LogisticSpec.Dual;
import io.equipoise.policy.logistic.LogisticSpec.Limit;
import io.equipoise.policy.logistic.LogisticSpec.Radius;
import io.equipoise.policy.logistic.LogisticSpec.RadiusKind;
import io.equipoise.policy.logistic.LogisticSpec.Schedule;
import io.equipoise.segmentspec.DefaultReward;
import io.equipoise.segmentspec.ExploreReader;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureMapReader;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.Section;
import io.equipoise.segmentspec.Ties;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.VariableTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what {@code policy} says of a policy with logistic rewards. */
final class LogisticReader {
  private static final List<String> KEYS =
      List.of(
          "name",
          "ties",
          "features",
          "theta-norm",
          "radius",
          "epsilon",
          "limits",
          "dual",
          "slack",
          "explore");

  private static final double DEFAULT_NORM = 5;
  private static final double MAX_NORM = 1e3;
  private static final double DEFAULT_DELTA = 0.05;
  private static final double DEFAULT_CAP = 10;
  private static final double DEFAULT_SLACK = 0.5;

  private final LogisticPolicyName name;
  private final Section section;
  private final VariableTable variables;

  private LogisticReader(LogisticPolicyName name, Section section, VariableTable variables) {
    this.name = name;
    this.section = section;
    this.variables = variables;
  }

  /** Returns null after a fault, also in the reward. */
  static @Nullable PolicySpec read(LogisticPolicyName name, PolicySection section) {
    if (section.refuses(
        "constraint",
        "no constraint: of logistic policies cclb, eps-cclb and dual-upper price effects,"
            + " screen and forced-exploration screen them, and screen with slack: 0 is the"
            + " hard constraint")) {
      return null;
    }
    Ties ties = section.ties();
    section.fields().refuseOthers(KEYS);
    LogisticSpec logistic =
        ties == null
            ? null
            : new LogisticReader(name, section.fields(), section.variables())
                .logistic(section.reward(), ties);
    return logistic == null || ties == null ? null : new PolicySpec(name, ties, null, logistic);
  }

  private @Nullable LogisticSpec logistic(@Nullable RewardRule reward, Ties ties) {
    boolean isBinary = reward == null || isBinary(reward);
    FeatureMap features = FeatureMapReader.read(section.get("features"), variables);
    Double norm = thetaNorm(section.get("theta-norm"));
    Radius radius = radius(section.get("radius"));
    Field epsilonField = section.get("epsilon");
    Double epsilon = epsilonField == null ? null : epsilon(epsilonField);
    Map<String, Limit> limits = limits(section.get("limits"));
    Dual dual = dual(section.get("dual"));
    Double slack = slack(section.get("slack"));
    ExploreSpec explore = ExploreReader.read(section.get("explore"), null);
    boolean lacksEpsilon = epsilonField != null && epsilon == null;
    if (!isBinary
        || features == null
        || norm == null
        || radius == null
        || lacksEpsilon
        || limits == null
        || dual == null
        || slack == null
        || explore == null) {
      return null;
    }
    boolean isSeeded = ties == Ties.SEEDED;
    return new LogisticSpec(
        features, norm, radius, epsilon, limits, dual, slack, isSeeded, explore);
  }

  private boolean isBinary(RewardRule reward) {
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
    return isUnit && isDefault;
  }

  private static @Nullable Double thetaNorm(@Nullable Field field) {
    if (field == null) {
      return DEFAULT_NORM;
    }
    Double norm = field.positive();
    if (norm != null && norm > MAX_NORM) {
      field.fault("a number above 0 and at most 1000: beyond it every probability is 0 or 1");
      return null;
    }
    return norm;
  }

  private static @Nullable Radius radius(@Nullable Field field) {
    if (field == null) {
      return new Radius(RadiusKind.LAPLACE, DEFAULT_DELTA, null);
    }
    Section radius = Section.of(field, "kind", "delta", "scale");
    Field kindField = radius.get("kind");
    Field deltaField = radius.get("delta");
    Field scaleField = radius.get("scale");
    RadiusKind kind =
        kindField == null
            ? RadiusKind.LAPLACE
            : kindField.oneOf(RadiusKind.values(), RadiusKind::wire);
    Double delta = deltaField == null ? Double.valueOf(DEFAULT_DELTA) : deltaField.probability();
    Double scale = scaleField == null ? null : scaleField.positive();
    boolean lacksScale = scaleField != null && scale == null;
    return !radius.isMapping() || kind == null || delta == null || lacksScale
        ? null
        : new Radius(kind, delta, scale);
  }

  private @Nullable Double slack(@Nullable Field field) {
    if (field == null) {
      return DEFAULT_SLACK;
    }
    if (name != LogisticPolicyName.SCREEN && name != LogisticPolicyName.FORCED_EXPLORATION) {
      field.fault(name.wire() + " screens nothing; screen and forced-exploration do");
      return null;
    }
    Double slack = field.number();
    if (slack != null && (slack < 0 || slack > 1)) {
      field.fault("a number from 0, the hard constraint, to 1: no effect is larger");
      return null;
    }
    return slack;
  }

  private @Nullable Double epsilon(Field field) {
    if (!name.isConstrained()) {
      field.fault(
          name.wire()
              + " heeds no effects; cclb, eps-cclb, dual-upper, screen and forced-exploration do");
      return null;
    }
    Double epsilon = field.number();
    if (epsilon != null && (epsilon < 0 || epsilon >= 1)) {
      field.fault("a number from 0 to below tau");
      return null;
    }
    return epsilon;
  }

  private @Nullable Map<String, Limit> limits(@Nullable Field field) {
    Map<String, Limit> limits = new TreeMap<>();
    if (field == null) {
      return limits;
    }
    Section attributes = Section.ofNames(field);
    attributes.refuseOthers(variables.names(VariableRole.SENSITIVE));
    boolean isSound = attributes.isMapping();
    for (Map.Entry<String, Field> entry : attributes.fields().entrySet()) {
      Section limit = Section.of(entry.getValue(), "tau", "epsilon");
      Field tauField = limit.get("tau");
      Field epsilonField = limit.get("epsilon");
      Double tau = tauField == null ? null : tau(tauField);
      Double epsilon = epsilonField == null ? null : epsilon(epsilonField);
      isSound &= tauField == null || tau != null;
      isSound &= epsilonField == null || epsilon != null;
      limits.put(entry.getKey(), new Limit(tau, epsilon));
    }
    return isSound ? limits : null;
  }

  private static @Nullable Double tau(Field field) {
    Double tau = field.positive();
    if (tau != null && tau > 1) {
      field.fault("a number above 0 and at most 1: rewards are 0 or 1");
      return null;
    }
    return tau;
  }

  private @Nullable Dual dual(@Nullable Field field) {
    if (field == null) {
      return new Dual(DEFAULT_CAP, Schedule.CAPPED, 0);
    }
    if (!name.isConstrained()) {
      field.fault("a mapping", name.wire() + " has no dual variables: it heeds no effects");
      return null;
    }
    Section dual = Section.of(field, "cap", "schedule", "horizon");
    Field capField = dual.get("cap");
    Field scheduleField = dual.get("schedule");
    Double cap = capField == null ? Double.valueOf(DEFAULT_CAP) : capField.positive();
    Schedule schedule =
        scheduleField == null
            ? Schedule.CAPPED
            : scheduleField.oneOf(Schedule.values(), Schedule::wire);
    Field horizonField = dual.get("horizon");
    if (schedule == Schedule.FIXED) {
      horizonField = dual.require("horizon", "the number of decisions T that fixed is for");
    } else if (schedule != null && horizonField != null) {
      horizonField.fault("only schedule: fixed has a horizon");
      return null;
    }
    Long horizon =
        horizonField == null ? Long.valueOf(0) : horizonField.whole(1, Integer.MAX_VALUE);
    boolean lacksHorizon = schedule == Schedule.FIXED && horizonField == null;
    return !dual.isMapping() || cap == null || schedule == null || horizon == null || lacksHorizon
        ? null
        : new Dual(cap, schedule, horizon);
  }
}
