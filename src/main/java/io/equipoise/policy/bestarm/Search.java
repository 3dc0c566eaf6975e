package io.equipoise.policy.bestarm;

import io.equipoise.policy.bestarm.Conclusion.BestFairArm;
import io.equipoise.policy.bestarm.Conclusion.By;
import io.equipoise.policy.bestarm.Conclusion.NoFairArm;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Decides at the end of each phase which arms stay, and when to stop: Gao and Feng 2021, Algorithms
 * 1 and 2 for a joint phase, the two halves of Algorithms 4 and 5 for the others. Stateless; the
 * state is the place in the plan and the set of arms that are left.
 */
record Search(List<Phase> plan, double bound) {
  /** Checks the arms that are left by the estimates of a phase that has ended. */
  SearchVerdict close(Phase phase, BitSet remaining, Estimates estimates) {
    BitSet before = (BitSet) remaining.clone();
    PhaseTests phaseTests = new PhaseTests(estimates, phase, bound);
    return switch (phase.stage()) {
      case JOINT -> joint(phase, before, phaseTests);
      case FAIRNESS -> fairness(phase, before, phaseTests);
      case REWARD -> reward(phase, before, phaseTests);
    };
  }

  /** Nothing is dropped until some arm is fair by the band; the leader always stays. */
  private SearchVerdict joint(Phase phase, BitSet before, PhaseTests phaseTests) {
    BitSet fair = phaseTests.fair(before);
    List<Elimination> unfair = phaseTests.unfair(before);
    if (fair.isEmpty()) {
      Conclusion none = isLast(phase) ? none(before, unfair) : null;
      return new SearchVerdict(phase, before, fair, -1, List.of(), before, true, none);
    }
    int leader = phaseTests.leader(fair);
    List<Elimination> reasons = new ArrayList<>(unfair);
    reasons.addAll(phaseTests.suboptimal(before, leader));
    BitSet after = PhaseTests.without(before, reasons);
    Conclusion found = null;
    if (after.cardinality() == 1) {
      found = new BestFairArm(leader, By.LAST_STANDING);
    } else if (isLast(phase)) {
      found = new BestFairArm(leader, By.ARGMAX_OF_FAIR);
    }
    return new SearchVerdict(phase, before, fair, leader, reasons, after, false, found);
  }

  private static Conclusion none(BitSet before, List<Elimination> unfair) {
    return new NoFairArm(PhaseTests.without(before, unfair).isEmpty());
  }

  /** The last arm that is left is taken as it is. */
  private static SearchVerdict fairness(Phase phase, BitSet before, PhaseTests phaseTests) {
    List<Elimination> reasons = phaseTests.unfair(before);
    BitSet after = PhaseTests.without(before, reasons);
    Conclusion end = null;
    if (after.isEmpty()) {
      end = new NoFairArm(true);
    } else if (after.cardinality() == 1) {
      end = new BestFairArm(after.nextSetBit(0), By.LAST_STANDING);
    }
    return new SearchVerdict(phase, before, new BitSet(), -1, reasons, after, false, end);
  }

  private SearchVerdict reward(Phase phase, BitSet before, PhaseTests phaseTests) {
    int leader = phaseTests.leader(before);
    List<Elimination> reasons = phaseTests.suboptimal(before, leader);
    BitSet after = PhaseTests.without(before, reasons);
    Conclusion end = null;
    if (after.cardinality() == 1) {
      end = new BestFairArm(after.nextSetBit(0), By.LAST_STANDING);
    } else if (isLast(phase)) {
      int arm = leader < 0 ? before.nextSetBit(0) : leader;
      end = new BestFairArm(arm, By.ARGMAX_OF_REMAINING);
    }
    return new SearchVerdict(phase, before, new BitSet(), leader, reasons, after, false, end);
  }

  private boolean isLast(Phase phase) {
    return phase.place() == plan.size() - 1;
  }
}
