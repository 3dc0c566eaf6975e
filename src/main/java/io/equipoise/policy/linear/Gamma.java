package io.equipoise.policy.linear;

/** States how strongly Fair-LinUCB pushes towards the group that is behind. */
public sealed interface Gamma {
  /** The paper's gamma, tuned by hand; 0 is LinUCB. */
  record Fixed(double gamma) implements Gamma {
    public Fixed {
      if (!(gamma >= 0 && gamma <= 1e6)) {
        throw new IllegalArgumentException("gamma " + gamma + " must be in [0, 1e6]");
      }
    }
  }

  /** Found while it runs: {@link GroupBalancer.AdaptiveGamma}. */
  record Adaptive() implements Gamma {}
}
