package io.equipoise.lab.bench;

import io.equipoise.policy.logistic.LogisticChoice;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRule;
import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.policy.logistic.LogisticState;
import io.equipoise.policy.logistic.PolicyParameters;
import io.equipoise.policy.logistic.StreamingModel;
import java.util.Arrays;
import java.util.List;

/** Runs a logistic policy with the streaming model and an audit of every choice. */
final class LogisticLongRun implements LongRounds.Model {
  private static final double NORM = 5;
  private static final double TAU = 0.2;
  private static final double ALPHA = 0.05;

  private final LogisticWorld world;
  private final LogisticRule policy;
  private final LogisticState state;

  LogisticLongRun(LogisticPolicyName name, LogisticWorld world) {
    this.world = world;
    policy = new LogisticRule(PolicyParameters.defaults(name, ALPHA, List.of(TAU)));
    state = policy.start(new StreamingModel(new LogisticScale(world.n, NORM)));
  }

  @Override
  public void round() {
    LogisticRequest request = world.next();
    LogisticChoice choice = policy.choose(state, request, 0);
    policy.audit(state, request, choice);
    policy.commit(state, request, choice);
    double[] x = request.candidates().get(choice.candidate()).x();
    state.model().learn(x, world.reward(x));
  }

  @Override
  public int stateBytes() {
    return state.byteLength();
  }

  @Override
  public boolean isFinite() {
    return Arrays.stream(state.model().estimate().parameter()).allMatch(Double::isFinite);
  }
}
