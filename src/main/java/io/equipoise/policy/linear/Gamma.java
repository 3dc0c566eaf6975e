package io.equipoise.policy.linear;

/** States how strongly Fair-LinUCB pushes towards the group that is behind. */
public sealed interface Gamma {
  /** Takes the paper's gamma, tuned by hand; 0 is LinUCB. */
  record Fixed(double gamma) implements Gamma {
    public Fixed {
      if (!(gamma >= 0 && gamma <= 1e6)) {
        throw new IllegalArgumentException("gamma " + gamma + " must be in [0, 1e6]");
      }
    }
  }

  /** Adapts gamma while the policy runs: {@link GroupBalancer.AdaptiveGamma}. */
  record Adaptive() implements Gamma {}
}
