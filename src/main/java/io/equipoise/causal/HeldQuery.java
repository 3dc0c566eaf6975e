package io.equipoise.causal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Computes the distribution of targets while other variables are held fixed, by a query that is
 * prepared once.
 *
 * <p>Every variable has a slot: first the summed ones, parents before children, then the held ones.
 * A walk over the joint levels multiplies one table entry at a time, the first slot slowest, and
 * skips probability 0. Immutable; each call has its own scratch memory.
 */
public final class HeldQuery {
  /** Rejects sums that would take minutes; hold more variables fixed instead. */
  private static final long MAX_JOINT_LEVELS = 1L << 28;

  private final List<String> targets;
  private final List<Cpt> summed;
  private final List<String> givenNames;
  private final int[] givenSizes;
  private final int[][] parentSlots;
  private final int[] targetStrides;
  private final int targetCells;
  private final long terms;

  HeldQuery(KnownDistributions known, List<String> targets, List<String> givenNames) {
    this.targets = List.copyOf(targets);
    this.givenNames = List.copyOf(givenNames);
    Map<String, Integer> slots = new HashMap<>();
    refuseTwice(targets, givenNames);
    summed = known.needed(targets, new HashSet<>(givenNames));
    summed.forEach(cpt -> slots.put(cpt.child().name(), slots.size()));
    givenNames.forEach(name -> slots.put(name, slots.size()));
    givenSizes = new int[givenNames.size()];
    for (int i = 0; i < givenSizes.length; i++) {
      givenSizes[i] = sizeOf(known, givenNames.get(i));
    }
    parentSlots = new int[summed.size()][];
    long joint = 1;
    for (int i = 0; i < parentSlots.length; i++) {
      Cpt cpt = summed.get(i);
      parentSlots[i] = cpt.parents().stream().mapToInt(p -> slots.get(p.name())).toArray();
      joint *= cpt.child().size();
      if (joint > MAX_JOINT_LEVELS) {
        throw new DistributionException(
            "the distribution of "
                + targets
                + " sums over more than 2^28 joint levels of "
                + summed.stream().map(summand -> summand.child().name()).toList());
      }
    }
    terms = joint;
    targetStrides = new int[summed.size()];
    int stride = 1;
    for (int i = targets.size() - 1; i >= 0; i--) {
      int slot = slots.get(targets.get(i));
      targetStrides[slot] = stride;
      stride *= summed.get(slot).child().size();
    }
    targetCells = stride;
  }

  public List<String> targets() {
    return targets;
  }

  /** Bounds the L1 error of a table row. */
  public interface RowError {
    /** Returns the bound, from 0 to 2. */
    double of(Cpt table, int row);
  }

  /** Returns the maximum number of joint levels that {@link #distribution} sums. */
  public long terms() {
    return terms;
  }

  /** Returns the tables that the query needs, parents first. */
  public List<Cpt> tables() {
    return summed;
  }

  /**
   * Bounds the L1 error of {@link #distribution} if every row of every table is within its error.
   * Replace the tables by the true ones one after the other, parents first. Each replacement moves
   * the joint distribution by at most that table's error, averaged over the rows with their
   * probabilities under the tables before it.
   */
  public double error(int[] givenLevels, RowError error) {
    return Math.min(2, error(0, 1, levels(givenLevels), error));
  }

  private double error(int slot, double weight, int[] levels, RowError error) {
    if (slot == summed.size()) {
      return 0;
    }
    Cpt cpt = summed.get(slot);
    int row = row(slot, levels);
    double sum = weight * error.of(cpt, row);
    int size = cpt.child().size();
    for (int level = 0; level < size; level++) {
      double p = cpt.at(row * size + level);
      if (p > 0) {
        levels[slot] = level;
        sum += error(slot + 1, weight * p, levels, error);
      }
    }
    return sum;
  }

  /** Returns the joint distribution of the targets, row-major, the first target slowest. */
  public double[] distribution(int[] givenLevels) {
    double[] distribution = new double[targetCells];
    sum(0, 1, 0, levels(givenLevels), distribution);
    return distribution;
  }

  /** Returns the levels by slot, with the held levels filled in. */
  private int[] levels(int[] givenLevels) {
    if (givenLevels.length != givenSizes.length) {
      throw new DistributionException(
          givenSizes.length + " variables are held, got " + givenLevels.length + " levels");
    }
    int[] levels = new int[summed.size() + givenLevels.length];
    for (int i = 0; i < givenLevels.length; i++) {
      if (givenLevels[i] < 0 || givenLevels[i] >= givenSizes[i]) {
        throw new DistributionException(
            "\"" + givenNames.get(i) + "\" has no level number " + givenLevels[i]);
      }
      levels[summed.size() + i] = givenLevels[i];
    }
    return levels;
  }

  private int row(int slot, int[] levels) {
    Cpt cpt = summed.get(slot);
    int row = 0;
    for (int i = 0; i < parentSlots[slot].length; i++) {
      row = row * cpt.parents().get(i).size() + levels[parentSlots[slot][i]];
    }
    return row;
  }

  private void sum(int slot, double weight, int cell, int[] levels, double[] distribution) {
    if (slot == summed.size()) {
      distribution[cell] += weight;
      return;
    }
    Cpt cpt = summed.get(slot);
    int row = row(slot, levels);
    int size = cpt.child().size();
    for (int level = 0; level < size; level++) {
      double p = cpt.at(row * size + level);
      if (p > 0) {
        levels[slot] = level;
        sum(slot + 1, weight * p, cell + level * targetStrides[slot], levels, distribution);
      }
    }
  }

  private static int sizeOf(KnownDistributions known, String name) {
    return known.graph().contains(name) ? known.variable(name).size() : Integer.MAX_VALUE;
  }

  private static void refuseTwice(List<String> targets, List<String> givenNames) {
    List<String> seen = new ArrayList<>(givenNames);
    for (String target : targets) {
      if (seen.contains(target)) {
        throw new DistributionException("\"" + target + "\" is both a target and another variable");
      }
      seen.add(target);
    }
    if (new HashSet<>(givenNames).size() < givenNames.size()) {
      throw new DistributionException("a held variable is named twice: " + givenNames);
    }
  }
}
