package io.equipoise.segmentspec;

import io.equipoise.event.EffectUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code fairness}. */
final class FairnessReader {
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
    double tau = oddsRatio == null ? section.number("tau") : StrictMath.log(oddsRatio);
    double delta = section.number("delta");
    ConfidenceKind confidence = confidence(section, reward);
    double scale = section.number("scale", reward == null ? Double.NaN : reward.scale());
    if (reward != null) {
      reward.checkQuotient(oddsRatio == null ? section.get("tau") : null, tau);
      reward.checkQuotient(section.get("scale"), scale);
    }
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
        oddsRatio == null ? EffectUnit.REWARD : EffectUnit.LOG_ODDS);
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
    CertificatesSpec.Interval interval = section.word("interval", CertificatesSpec.Interval.class);
    Field field = section.get("interval");
    if (field != null
        && interval == CertificatesSpec.Interval.PAIRS
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

  /** A scale of its own, or rewards without bounds, ask for the confidence that uses the scale. */
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
