package io.equipoise.policy.bestarm;

/**
 * Holds a phase's estimates of the arms that are left.
 *
 * @param reward Yhat
 * @param forward zeta^{s,s'}, from samples with S = s'
 * @param backward zeta^{s',s}, from samples with S = s
 */
record Estimates(Ipw reward, Ipw forward, Ipw backward) {
  double reward(int arm) {
    return reward.value()[arm];
  }

  double forward(int arm) {
    return forward.value()[arm];
  }

  double backward(int arm) {
    return backward.value()[arm];
  }
}
