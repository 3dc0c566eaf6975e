package io.equipoise.simulation;

import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;
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

  private static final double NOISE = 0.1;

  private EmailCampaign() {}

  /** Loads the structural model. */
  public static StructuralModel model() {
    return new NetworkModel(
            List.of("X1", "X2", "X3"),
            "X1",
            List.of("A1", "A2", "A3"),
            List.of("I1", "I2", "I3", "I4"),
            List.of("I1", "I2", "I3", "A3"),
            1,
            12,
            NOISE)
        .read("/specs/email-campaign.bif");
  }

  /** Returns the levels of the three actions of each arm. */
  public static List<int[]> arms() {
    List<int[]> arms = new ArrayList<>();
    for (int arm = 0; arm < 36; arm++) {
      arms.add(new int[] {arm / 12, arm / 3 % 4, arm % 3});
    }
    return arms;
  }

  /** Loads the definition. */
  public static Environment environment() {
    return new Environment(model(), arms());
  }
}
