package io.equipoise.lab;

import io.equipoise.segmentspec.ConfidenceKind;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.simulation.EmailCampaign;
import io.equipoise.simulation.StructuralModel;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the segment spec of an experiment: the paper's confidence, delta_t = 1/t^2, and its
 * scales. Everything goes through the text, as a live spec does.
 */
public final class LabSpec {
  /** The paper's sg, eq. 6. */
  public static final double INDEX_SCALE = 1;

  /**
   * Above 0.160, the sub-Gaussian scale of a reward of the Email Campaign given its cell; chosen to
   * fit Figure 3 of Huang et al. 2022.
   */
  public static final double EMAIL_FAIRNESS_SCALE = 0.18;

  private final StructuralModel model;
  private final List<int[]> arms;
  private final double fairnessScale;

  /** Takes the arms as levels of the actions. */
  public LabSpec(StructuralModel model, List<int[]> arms, double fairnessScale) {
    this.model = model;
    this.arms = arms;
    this.fairnessScale = fairnessScale;
  }

  /** Returns the writer of specs of the Email Campaign, with the scale of its fairness. */
  public static LabSpec email() {
    return new LabSpec(EmailCampaign.model(), EmailCampaign.arms(), EMAIL_FAIRNESS_SCALE);
  }

  /**
   * Returns the replication spec of one policy and threshold: the paper's confidence and scales.
   */
  public SegmentSpec of(PolicyName policy, double tau) {
    String reward =
        String.format(
            Locale.ROOT,
            "{range: [%s, %s], bounded: false, scale: %s}",
            model.meanRange().getMin(),
            model.meanRange().getMax(),
            fairnessScale);
    String confidence = "confidence: paper, scale: " + fairnessScale;
    return SpecParser.parse(text(policy, tau, reward, confidence));
  }

  /** Returns the spec of one policy for rewards of 0 or 1, under an anytime confidence. */
  public SegmentSpec ofBernoulli(PolicyName policy, double tau, ConfidenceKind confidence) {
    String kind = "confidence: " + confidence.wire();
    return SpecParser.parse(text(policy, tau, "{range: [0, 1]}", kind));
  }

  private String text(PolicyName policy, double tau, String reward, String confidence) {
    return "name: lab-%s\nseed: 1\n".formatted(policy.wire())
        + new ModelText(model, arms, "", true, Map.of()).text()
        + """
          reward: %s
          policy: {name: %s, index-scale: %s}
          fairness: {tau: %s, delta: 0.05, %s}
          join: {reward-window: 30m}
          """
            .formatted(reward, policy.wire(), INDEX_SCALE, tau, confidence);
  }
}
