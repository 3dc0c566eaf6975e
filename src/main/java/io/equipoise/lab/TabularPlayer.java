package io.equipoise.lab;

import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.bandit.TabularBandit;
import io.equipoise.lab.Environment.Answer;
import java.util.List;

/** A tabular bandit, which chooses for every twin as if the twin had come by. */
final class TabularPlayer implements Player {
  private final TabularBandit bandit;
  private final Blocks blocks = new MemoryBlocks();
  private boolean fellBack;

  TabularPlayer(TabularBandit bandit) {
    this.bandit = bandit;
  }

  @Override
  public int[] choose(int[] person, List<Twin> twins, long t) {
    Draw draw = new Draw(bandit.spec().seed(), "lab", Long.toString(t));
    Choice choice = bandit.choose(blocks, person, t, draw);
    fellBack = choice.fairSetSize() == 0;
    int[] arms = new int[1 + twins.size()];
    arms[0] = choice.arm();
    for (int i = 0; i < twins.size(); i++) {
      arms[1 + i] = bandit.choose(blocks, twins.get(i).context(), t, draw).arm();
    }
    return arms;
  }

  @Override
  public boolean fellBack() {
    return fellBack;
  }

  @Override
  public void learn(Round round, int arm, Answer answer, long t) {
    bandit.learn(blocks, round.context(), arm, answer.mediators(), answer.reward());
  }
}
