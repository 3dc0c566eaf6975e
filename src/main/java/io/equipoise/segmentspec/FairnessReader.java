package io.equipoise.segmentspec;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.EffectUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code fairness}. */
final class FairnessReader {
  private static final List<String> KINDS = List.of("total", "direct", "indirect");

  private FairnessReader() {}

  /** Returns null after a fault, also if the reward's scale is needed and has one. */
  static @Nullable FairnessSpec read(
      @Nullable Section section,
      VariableTable variables,
      @Nullable RewardRule reward,
      @Nullable PolicySpec policy) {
    if (section == null) {
      return null;
    }
    Double oddsRatio = oddsRatio(section, policy);
    Map<AuditEffectKind, Double> kinds = kinds(section, reward, policy);
    double tau = oddsRatio == null ? tau(section, kinds) : StrictMath.log(oddsRatio);
    double delta = section.number("delta");
    ConfidenceKind confidence = confidence(section, reward);
    double scale = section.number("scale", reward == null ? Double.NaN : reward.scale());
    if (reward != null) {
      if (oddsRatio == null && kinds.isEmpty()) {
        reward.checkQuotient(section, "tau", tau);
      }
      reward.checkQuotient(section, "scale", scale);
    }
    List<String> split = split(section, variables, policy);
    boolean intersections = intersections(section, variables, policy);
    double refutationDelta = section.number("refutation-delta");
    OnRefuted onRefuted = section.word("on-refuted-assumption", OnRefuted.class);
    CertificatesSpec certificates = certificates(section.sectionOrDefaults("certificates"), policy);
    if (confidence == null
        || onRefuted == null
        || certificates == null
        || reward == null
        || !section.isSound()) {
      return null;
    }
    return new FairnessSpec(
        tau,
        delta,
        confidence,
        scale,
        intersections,
        refutationDelta,
        onRefuted,
        certificates,
        oddsRatio == null ? EffectUnit.REWARD : EffectUnit.LOG_ODDS,
        kinds,
        split);
  }

  private enum Split {
    ALL
  }

  private static @Nullable List<String> split(
      Section section, VariableTable variables, @Nullable PolicySpec policy) {
    Field field = section.get("split");
    if (field == null) {
      return null;
    }
    if (policy != null && policy.family().isPhased()) {
      field.fault("none: an experiment compares the values of one attribute");
    }
    if (!field.isList()) {
      section.word("split", Split.class);
      return List.of();
    }
    List<String> allowed = new ArrayList<>(variables.names());
    allowed.removeAll(variables.names(VariableRole.REWARD));
    allowed.removeAll(variables.names(VariableRole.ACTION));
    List<String> sensitive = variables.names(VariableRole.SENSITIVE);
    if (sensitive.size() == 1) { // it is compared, not matched
      allowed.removeAll(sensitive);
    }
    if (field.items().isEmpty()) {
      field.fault("all, or a list of one variable or more");
      return List.of();
    }
    return section.variables("split", allowed);
  }

  private static double tau(Section section, Map<AuditEffectKind, Double> kinds) {
    return isByKind(section)
        ? kinds.values().stream().mapToDouble(limit -> limit).max().orElse(Double.NaN)
        : section.number("tau");
  }

  private static boolean isByKind(Section section) {
    Field field = section.get("tau");
    return field != null && field.isMapping();
  }

  /** Returns the limits of a mapping; empty if tau is no mapping, and after a fault. */
  private static Map<AuditEffectKind, Double> kinds(
      Section section, @Nullable RewardRule reward, @Nullable PolicySpec policy) {
    Map<AuditEffectKind, Double> kinds = new EnumMap<>(AuditEffectKind.class);
    Section limits = isByKind(section) ? section.section("tau") : null;
    if (limits == null) {
      return Map.of();
    }
    if (limits.fields().isEmpty()) {
      limits.field().fault("no kind", "a limit for one or more of direct, indirect, total");
    }
    Set<AuditEffectKind> allowed =
        policy == null ? EnumSet.allOf(AuditEffectKind.class) : policy.family().kinds();
    for (String name : KINDS) {
      AuditEffectKind kind = AuditEffectKind.valueOf(name.toUpperCase(Locale.ROOT));
      Field field = limits.get(name);
      double limit = limits.number(name, Double.NaN);
      if (field == null || Double.isNaN(limit)) {
        continue;
      }
      if (policy != null && !allowed.contains(kind)) {
        field.fault(
            name + " with policy " + policy.name().wire(),
            allowed.isEmpty()
                ? "a number as tau: the policy has one kind of effect"
                : "direct: a regression holds what is known of a person, so it has no other effect."
                    + " A policy over cells, such as f-ucb, has");
      } else {
        kinds.put(kind, limit);
        if (reward != null) {
          reward.checkQuotient(limits, name, limit);
        }
      }
    }
    return Collections.unmodifiableMap(kinds);
  }

  /** Returns the odds ratio that is fair, null if effects are on the reward. */
  private static @Nullable Double oddsRatio(Section section, @Nullable PolicySpec policy) {
    Field field = section.get("odds-ratio");
    if (field == null) {
      section.require(
          "tau", "required: a number above 0, or fairness.odds-ratio under a logistic policy");
      return null;
    }
    if (section.get("tau") != null) {
      field.fault("odds-ratio and tau", "one of them: they are limits of different effects");
      return null;
    }
    if (policy != null && !policy.family().hasLogOdds()) {
      field.fault(
          "odds-ratio with policy " + policy.name().wire(),
          "tau: only logistic policies, such as screen, have effects on log odds");
      return null;
    }
    return section.optionalNumber("odds-ratio");
  }

  private static @Nullable CertificatesSpec certificates(
      Section section, @Nullable PolicySpec policy) {
    CertificatesSpec.IntervalMethod interval =
        section.word("interval", CertificatesSpec.IntervalMethod.class);
    Field field = section.get("interval");
    if (field != null
        && interval == CertificatesSpec.IntervalMethod.PAIRS
        && policy != null
        && !policy.family().hasLogOdds()) {
      field.fault(
          "pairs with policy " + policy.name().wire(),
          "contrast or ellipsoid: only logistic policies, such as screen, have pairs");
    }
    boolean isSticky = section.flag("sticky");
    int contrasts = (int) section.whole("contrasts");
    return interval == null || !section.isSound()
        ? null
        : new CertificatesSpec(interval, isSticky, contrasts);
  }

  private static boolean intersections(
      Section section, VariableTable variables, @Nullable PolicySpec policy) {
    Field field = section.get("intersections");
    List<SpecVariable> sensitive = variables.sound(VariableRole.SENSITIVE);
    if (!section.flag("intersections") || field == null || sensitive == null) {
      return false;
    }
    double comparisons = Intersections.comparisons(sensitive);
    if (sensitive.size() < 2) {
      field.fault("false: one sensitive attribute alone intersects with nothing");
    } else if (policy != null && policy.family().isPhased()) {
      field.fault("false: an experiment compares the values of one attribute");
    } else if (comparisons > Intersections.MAX_COMPARISONS) {
      field.fault(
          "true with up to " + (long) comparisons + " joint comparisons a decision",
          "at most "
              + Intersections.MAX_COMPARISONS
              + ": fewer sensitive attributes or levels, or false");
    }
    return true;
  }

  /**
   * Returns the confidence; the default uses the scale if the section gives one or rewards are
   * unbounded.
   */
  private static @Nullable ConfidenceKind confidence(Section section, @Nullable RewardRule reward) {
    boolean isBounded = reward == null || reward.bounded();
    boolean hasScale = section.get("scale") != null;
    ConfidenceKind kind =
        section.word(
            "confidence",
            ConfidenceKind.class,
            isBounded && !hasScale ? ConfidenceKind.JOINT : ConfidenceKind.SUB_GAUSSIAN);
    Field field = section.get("confidence");
    if (field != null && kind == ConfidenceKind.JOINT && !isBounded) {
      field.fault("with reward.bounded: false one of sub-gaussian, paper");
    }
    return kind;
  }
}
