package io.equipoise.lab;

import io.equipoise.policy.Choice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.tabular.TabularPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * F-UCB over rounds with rewards of 0 or 1: how soon data certify what the known distributions
 * alone do not.
 *
 * @param first the first round in which a person's fair set was larger than before any data; one
 *     more than there were rounds, if there was none
 * @param gained certified pairs of person and arm after the last round, less those before any data
 * @param unfair decisions whose true effect exceeds tau
 */
record CertificateTrial(int first, int gained, int unfair) {

  static CertificateTrial run(
      TabularPolicy bandit, Environment environment, List<Round> rounds, long seed) {
    ModelState modelState = new MemoryModelState();
    SplitMix coins = new SplitMix(~seed);
    Map<List<Integer>, Integer> before = new HashMap<>();
    int first = rounds.size() + 1;
    int unfair = 0;
    for (int t = 1; t <= rounds.size(); t++) {
      Round round = rounds.get(t - 1);
      int[] context = round.context();
      int known =
          before.computeIfAbsent(
              key(context), levels -> fairSet(bandit, new MemoryModelState(), context, 1));
      Choice choice = choose(bandit, modelState, context, t);
      if (choice.fairSetSize() > known) {
        first = Math.min(first, t);
      }
      if (Math.abs(environment.effect(context, choice.arm())) > bandit.spec().fairness().tau()) {
        unfair++;
      }
      Environment.Answer answer = environment.answer(round, choice.arm());
      double mean = answer.reward() - round.noise();
      double reward = coins.nextDouble() < mean ? 1 : 0;
      bandit.learn(modelState, context, choice.arm(), answer.mediators(), reward);
    }
    int gained = 0;
    for (Map.Entry<List<Integer>, Integer> person : before.entrySet()) {
      int[] context = person.getKey().stream().mapToInt(level -> level).toArray();
      gained += fairSet(bandit, modelState, context, rounds.size() + 1) - person.getValue();
    }
    return new CertificateTrial(first, gained, unfair);
  }

  private static int fairSet(TabularPolicy bandit, ModelState modelState, int[] context, long t) {
    return choose(bandit, modelState, context, t).fairSetSize();
  }

  private static Choice choose(TabularPolicy bandit, ModelState modelState, int[] context, long t) {
    return bandit.choose(
        modelState, context, t, new SeededRandom(bandit.spec().seed(), "lab", Long.toString(t)));
  }

  private static List<Integer> key(int[] context) {
    List<Integer> key = new ArrayList<>(context.length);
    for (int level : context) {
      key.add(level);
    }
    return key;
  }
}
