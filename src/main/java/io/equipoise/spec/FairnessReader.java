package io.equipoise.spec;

import org.jspecify.annotations.Nullable;

/** Reads {@code fairness}. */
final class FairnessReader {
  private static final double DEFAULT_DELTA = 0.05;

  private FairnessReader() {}

  /** Returns null after a fault, also if the reward's scale is needed and has one. */
  static @Nullable FairnessSpec read(@Nullable Field field, @Nullable RewardRule reward) {
    if (field == null) {
      return null;
    }
    Section section = Section.of(field, "tau", "delta", "confidence", "scale");
    Field tauField = section.require("tau", "the greatest effect that is fair, greater than 0");
    Double tau = tauField == null ? null : tauField.positive();
    Field deltaField = section.get("delta");
    Double delta = deltaField == null ? Double.valueOf(DEFAULT_DELTA) : deltaField.probability();
    ConfidenceKind confidence = confidence(section.get("confidence"), reward);
    Double scale = PolicyReader.scaleOr(section.get("scale"), reward);
    if (tau == null || delta == null || confidence == null || scale == null) {
      return null;
    }
    return new FairnessSpec(tau, delta, confidence, scale);
  }

  private static @Nullable ConfidenceKind confidence(
      @Nullable Field field, @Nullable RewardRule reward) {
    if (field == null) {
      return ConfidenceKind.SUB_GAUSSIAN;
    }
    ConfidenceKind kind = field.oneOf(ConfidenceKind.values(), ConfidenceKind::wire);
    if (kind == ConfidenceKind.EMPIRICAL_BERNSTEIN && reward != null && !reward.bounded()) {
      field.fault("with reward.bounded: false one of sub-gaussian, paper");
    }
    return kind;
  }
}
