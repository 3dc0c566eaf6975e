package io.equipoise.lab;

import io.equipoise.policy.Choice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.simulation.Environment.SimulatedOutcome;
import io.equipoise.simulation.Environment.Twin;
import io.equipoise.simulation.Round;
import java.util.List;

/** Plays a policy in a trial. */
interface Player {
  /**
   * Chooses an arm for a person and one for each twin.
   *
   * @param t the round, from 1
   * @return the person's arm, then the arms of the twins in their order
   */
  int[] choose(int[] person, List<Twin> twins, long t);

  /** Returns whether the last choice had no certified arm. */
  boolean fellBack();

  /** Learns from the outcome of the person's arm; twins have no outcome. */
  void learn(Round round, int arm, SimulatedOutcome answer, long t);

  /** Plays a tabular policy, which chooses for a twin as for a person with the twin's context. */
  final class Tabular implements Player {
    private final TabularPolicy policy;
    private final ModelState state = new MemoryModelState();
    private boolean fellBack;

    Tabular(SegmentSpec spec) {
      policy = TabularPolicy.compile(spec);
    }

    @Override
    public int[] choose(int[] person, List<Twin> twins, long t) {
      SeededRandom random = new SeededRandom(policy.spec().seed(), "lab", Long.toString(t));
      Choice choice = policy.choose(state, person, t, random);
      fellBack = choice.fairSetSize() == 0;
      int[] arms = new int[1 + twins.size()];
      arms[0] = choice.arm();
      for (int i = 0; i < twins.size(); i++) {
        arms[1 + i] = policy.choose(state, twins.get(i).context(), t, random).arm();
      }
      return arms;
    }

    @Override
    public boolean fellBack() {
      return fellBack;
    }

    @Override
    public void learn(Round round, int arm, SimulatedOutcome answer, long t) {
      policy.learn(state, round.context(), arm, answer.mediators(), answer.reward());
    }
  }
}
