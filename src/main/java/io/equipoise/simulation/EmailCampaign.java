package io.equipoise.simulation;

import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.ConfidenceKind;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * The Email Campaign of Huang et al. 2022, Table 1 and Figure 3. Its graph and reward are the
 * paper's; its tables are a substitute fitted to Table 1, because the paper's own could not be
 * obtained. Arm index = (A1 * 4 + A2) * 3 + A3, all levels from 0.
 */
public final class EmailCampaign {
  /** The policies of Huang et al. 2022. */
  public static final List<PolicyName> POLICIES =
      List.of(
          TabularPolicyName.UCB,
          TabularPolicyName.C_UCB,
          TabularPolicyName.D_UCB,
          TabularPolicyName.F_UCB);

  /** Above 0.160, the sub-Gaussian scale of a reward given its cell; chosen to fit Figure 3. */
  public static final double FAIRNESS_SCALE = 0.18;

  private final Environment environment;
  private final LabSpec spec;

  /** Loads the definition. */
  public EmailCampaign() {
    StructuralModel model = StructuralModel.resource("/email-campaign.json");
    List<int[]> arms = new ArrayList<>();
    for (int arm = 0; arm < 36; arm++) {
      arms.add(new int[] {arm / 12, arm / 3 % 4, arm % 3});
    }
    environment = new Environment(model, arms);
    spec = new LabSpec(model, arms, FAIRNESS_SCALE);
  }

  public Environment environment() {
    return environment;
  }

  /** Returns the replication spec of one policy: index scale 1, the paper's confidence. */
  public SegmentSpec spec(PolicyName policy, double tau) {
    return spec.of(policy, tau);
  }

  /** Returns the spec of F-UCB for rewards of 0 or 1 with the same means. */
  public SegmentSpec bernoulliSpec(double tau, ConfidenceKind confidence) {
    return spec.ofBernoulli(TabularPolicyName.F_UCB, tau, confidence);
  }
}
