package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.CclbSetting.Delay;
import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.policy.logistic.LogisticChoice;
import io.equipoise.policy.logistic.LogisticModel;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.policy.logistic.LogisticRule;
import io.equipoise.policy.logistic.LogisticState;
import io.equipoise.policy.logistic.StreamingModel;
import io.equipoise.simulation.SplitMix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a setting once. Its random streams depend on the seed alone: contexts, rewards (one uniform
 * a round), where the scan of candidates starts (one uniform a round), and delays. Rewards are
 * learned in the order of their arrival; the decision L rounds later knows a reward with a lag of L
 * rounds.
 *
 * <p>glm-ucb draws a start like the others but scans from the first candidate, as the reference
 * does.
 */
final class CclbTrial {
  /** Rounds between checkpoints; the end is one too. */
  static final int CHECKPOINT = 500;

  private CclbTrial() {}

  /** A pending reward, with the features of its decision. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Reward(double[] x, double y) {}

  static List<Totals> run(CclbSetting setting, CclbInstance instance, double alpha, long seed) {
    SplitMix contexts = new SplitMix(1_000_003 * seed + 17);
    SplitMix rewards = new SplitMix(7919 * seed + 5);
    SplitMix starts = new SplitMix(31 * seed + 3);
    SplitMix delays = new SplitMix(104_729 * seed + 11);
    Map<Integer, List<Reward>> pending = new TreeMap<>();
    LogisticRule policy = new LogisticRule(setting.parameters(alpha));
    LogisticModel model =
        setting.estimator() == Estimator.EXACT
            ? new ExactModel(instance.scale())
            : new StreamingModel(instance.scale());
    LogisticState state = policy.start(model);
    Totals.Sum measures = new Totals.Sum();
    List<Totals> checkpoints = new ArrayList<>();
    for (int t = 1; t <= setting.rounds(); t++) {
      KnownRound round = instance.next(contexts);
      int drawn = (int) (starts.nextDouble() * instance.candidates());
      int start = setting.policy() == LogisticPolicyName.GLM_UCB ? 0 : drawn;
      LogisticChoice choice = policy.choose(state, round.request(), start);
      int chosen = choice.candidate();
      measures.decided(round, chosen, choice.explored());
      if (setting.isAudited()) {
        measures.audited(round, chosen, policy.audit(state, round.request(), choice));
      }
      policy.commit(state, round.request(), choice);
      double y = rewards.nextDouble() < round.reward()[chosen] ? 1 : 0;
      double[] x = round.request().candidates().get(chosen).x();
      int lag = setting.delay().lag(y, delays);
      if (lag != Delay.NEVER) {
        pending
            .computeIfAbsent(t + Math.max(0, lag - 1), due -> new ArrayList<>())
            .add(new Reward(x, y));
      }
      List<Reward> due = pending.remove(t);
      for (Reward reward : due == null ? List.<Reward>of() : due) {
        model.learn(reward.x(), reward.y());
      }
      if (t % CHECKPOINT == 0 || t == setting.rounds()) {
        double phi = state.duals().constraints() == 0 ? 0 : state.duals().phi(0);
        checkpoints.add(measures.totals(phi));
      }
    }
    return checkpoints;
  }
}
