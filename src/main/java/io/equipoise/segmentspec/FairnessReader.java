package io.equipoise.segmentspec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code fairness}. */
final class FairnessReader {
  private static final double DEFAULT_DELTA = 0.05;

  private FairnessReader() {}

  /** Returns null after a fault, also if the reward's scale is needed and has one. */
  static @Nullable FairnessSpec read(
      @Nullable Field field,
      VariableTable variables,
      @Nullable RewardRule reward,
      @Nullable PolicySpec policy) {
    if (field == null) {
      return null;
    }
    Section section =
        Section.of(
            field,
            "tau",
            "delta",
            "confidence",
            "scale",
            "intersections",
            "refutation-delta",
            "on-refuted-assumption",
            "certificates");
    Field tauField = section.require("tau", "the greatest effect that is fair, greater than 0");
    Double tau = tauField == null ? null : tauField.positive();
    Field deltaField = section.get("delta");
    Double delta = deltaField == null ? Double.valueOf(DEFAULT_DELTA) : deltaField.probability();
    ConfidenceKind confidence = confidence(section, reward);
    Double scale = PolicySection.scaleOr(section.get("scale"), reward);
    Boolean intersections = intersections(section.get("intersections"), variables, policy);
    Double refutationDelta = refutationDelta(section.get("refutation-delta"));
    OnRefuted onRefuted = onRefuted(section.get("on-refuted-assumption"));
    CertificatesSpec certificates = certificates(section.get("certificates"));
    if (tau == null
        || certificates == null
        || delta == null
        || refutationDelta == null
        || onRefuted == null
        || confidence == null
        || scale == null
        || intersections == null) {
      return null;
    }
    return new FairnessSpec(
        tau, delta, confidence, scale, intersections, refutationDelta, onRefuted, certificates);
  }

  private static @Nullable CertificatesSpec certificates(@Nullable Field field) {
    if (field == null) {
      return CertificatesSpec.DEFAULT;
    }
    Section section = Section.of(field, "interval", "sticky", "contrasts");
    CertificatesSpec plain = CertificatesSpec.DEFAULT;
    Field intervalField = section.get("interval");
    Field stickyField = section.get("sticky");
    Field contrastsField = section.get("contrasts");
    CertificatesSpec.Interval interval =
        intervalField == null
            ? plain.interval()
            : intervalField.oneOf(
                CertificatesSpec.Interval.values(), CertificatesSpec.Interval::wire);
    Boolean sticky = stickyField == null ? Boolean.valueOf(plain.sticky()) : stickyField.flag();
    Long contrasts =
        contrastsField == null
            ? Long.valueOf(plain.contrasts())
            : contrastsField.whole(1, CertificatesSpec.MOST_CONTRASTS);
    return interval == null || sticky == null || contrasts == null
        ? null
        : new CertificatesSpec(interval, sticky, contrasts.intValue());
  }

  private static @Nullable Double refutationDelta(@Nullable Field field) {
    return field == null ? Double.valueOf(FairnessSpec.REFUTATION_DELTA) : field.probability();
  }

  private static @Nullable OnRefuted onRefuted(@Nullable Field field) {
    return field == null ? OnRefuted.WITHHOLD : field.oneOf(OnRefuted.values(), OnRefuted::wire);
  }

  private static @Nullable Boolean intersections(
      @Nullable Field field, VariableTable variables, @Nullable PolicySpec policy) {
    Boolean asked = field == null ? Boolean.FALSE : field.flag();
    List<SpecVariable> sensitive = variables.sound(VariableRole.SENSITIVE);
    if (field == null || asked == null || !asked || sensitive == null) {
      return asked;
    }
    if (sensitive.size() < 2) {
      field.fault("false: one sensitive attribute alone intersects with nothing");
      return null;
    }
    if (policy != null && policy.family().isPhased()) {
      field.fault("false: an experiment compares the values of one attribute");
      return null;
    }
    double comparisons = Intersections.comparisons(sensitive);
    if (comparisons > Intersections.MAX_COMPARISONS) {
      field.fault(
          "true with up to " + (long) comparisons + " joint comparisons a decision",
          "at most "
              + Intersections.MAX_COMPARISONS
              + ": fewer sensitive attributes or levels, or false");
      return null;
    }
    return asked;
  }

  /** A scale of its own, or rewards without bounds, ask for the confidence that uses the scale. */
  private static @Nullable ConfidenceKind confidence(Section section, @Nullable RewardRule reward) {
    Field field = section.get("confidence");
    if (field == null) {
      boolean isBounded = reward == null || reward.bounded();
      return isBounded && section.get("scale") == null
          ? ConfidenceKind.JOINT
          : ConfidenceKind.SUB_GAUSSIAN;
    }
    ConfidenceKind kind = field.oneOf(ConfidenceKind.values(), ConfidenceKind::wire);
    if (kind == ConfidenceKind.JOINT && reward != null && !reward.bounded()) {
      field.fault("with reward.bounded: false one of sub-gaussian, paper");
    }
    return kind;
  }
}
