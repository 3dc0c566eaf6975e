package io.equipoise.lab;

import io.equipoise.lab.Environment.Answer;
import io.equipoise.policy.Choice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.tabular.TabularPolicy;
import java.util.List;

/** A tabular bandit, which chooses for every twin as if the twin had come by. */
final class TabularPlayer implements Player {
  private final TabularPolicy bandit;
  private final ModelState modelState = new MemoryModelState();
  private boolean fellBack;

  TabularPlayer(TabularPolicy bandit) {
    this.bandit = bandit;
  }

  @Override
  public int[] choose(int[] person, List<Twin> twins, long t) {
    SeededRandom seededRandom = new SeededRandom(bandit.spec().seed(), "lab", Long.toString(t));
    Choice choice = bandit.choose(modelState, person, t, seededRandom);
    fellBack = choice.fairSetSize() == 0;
    int[] arms = new int[1 + twins.size()];
    arms[0] = choice.arm();
    for (int i = 0; i < twins.size(); i++) {
      arms[1 + i] = bandit.choose(modelState, twins.get(i).context(), t, seededRandom).arm();
    }
    return arms;
  }

  @Override
  public boolean fellBack() {
    return fellBack;
  }

  @Override
  public void learn(Round round, int arm, Answer answer, long t) {
    bandit.learn(modelState, round.context(), arm, answer.mediators(), answer.reward());
  }
}
