package io.equipoise.bandit.oam;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Optimal allocation matching, with prior bounds OAM-PCB (Huang and Wu 2023, Algorithm 5).
 *
 * <p>Each round exploits if all arms of the context are known well enough for their gaps. Else it
 * explores: an arm that lags behind the allocation, an arm that was pulled less than a share of the
 * explored rounds, or, if none lags, the arm of LinUCB. Prior bounds clip estimates and indices,
 * and an arm whose upper bound is below the best estimate of its context is left alone.
 *
 * <p>The allocation is solved anew when best or kept rows change, or when the explored rounds have
 * grown by a tenth: some hundred times in 15 000 rounds. Immutable but for the state it is given.
 */
public final class OamPolicy {
  private static final double GROWTH = 1.1;

  private final OamTable table;
  private final OamSchedule schedule;
  private final OamPrior prior;
  private final double confidence;

  public OamPolicy(OamTable table, OamSchedule schedule, OamPrior prior) {
    if (schedule.dimension() != table.dimension()) {
      throw new IllegalArgumentException(
          "a schedule for dimension " + schedule.dimension() + ", not " + table.dimension());
    }
    this.table = table;
    this.schedule = schedule;
    this.prior = prior;
    confidence = schedule.confidence();
  }

  /** Returns the arm to pull in a context; counts the round if it explores. */
  public int choose(OamState state, int context) {
    if (!state.isSpanned()) {
      return spanning(state, context);
    }
    Gaps gaps = Gaps.of(table, state, prior, schedule.resolution());
    if (isKnown(state, gaps, context)) {
      return greatest(context, gaps, gaps.mean);
    }
    state.explored++;
    allocate(state, gaps);
    return explore(state, gaps, context);
  }

  /** Learns a reward. */
  public void learn(OamState state, int context, int arm, double reward) {
    if (!Double.isFinite(reward)) {
      throw new IllegalArgumentException("reward " + reward);
    }
    state.learn(table.row(context, arm), reward);
  }

  /** Pulls what enlarges the span; where nothing does, what was pulled least. */
  private int spanning(OamState state, int context) {
    int least = 0;
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      if (table.enlarges(state.pulls, row)) {
        return arm;
      }
      least = state.pulls[row] < state.pulls[table.row(context, least)] ? arm : least;
    }
    return least;
  }

  private boolean isKnown(OamState state, Gaps gaps, int context) {
    if (gaps.least == Double.POSITIVE_INFINITY) {
      return false;
    }
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      double gap = Math.max(gaps.least, gaps.gap[row]);
      if (gaps.kept.get(row) && state.squaredWidth(row) > gap * gap / confidence) {
        return false;
      }
    }
    return true;
  }

  private void allocate(OamState state, Gaps gaps) {
    boolean isSame =
        gaps.best.equals(state.bestWhenSolved) && gaps.kept.equals(state.keptWhenSolved);
    if (isSame && state.explored < GROWTH * state.exploredWhenSolved) {
      return;
    }
    state.bestWhenSolved = gaps.best;
    state.keptWhenSolved = gaps.kept;
    state.exploredWhenSolved = state.explored;
    state.allocation = allocation(gaps);
  }

  private double[] allocation(Gaps gaps) {
    double[] allocation = new double[table.size()];
    Arrays.fill(allocation, Double.POSITIVE_INFINITY);
    List<Integer> suboptimal = new ArrayList<>();
    List<double[]> best = new ArrayList<>();
    for (int row = 0; row < table.size(); row++) {
      if (gaps.best.get(row)) {
        best.add(table.x(row));
      } else if (gaps.kept.get(row)) {
        suboptimal.add(row);
      } else {
        allocation[row] = 0;
      }
    }
    if (!suboptimal.isEmpty()) {
      double[] solved =
          BarrierSolver.solve(
              new AllocationProblem(
                  suboptimal.stream().map(table::x).toArray(double[][]::new),
                  suboptimal.stream().mapToDouble(row -> gaps.gap[row]).toArray(),
                  best.toArray(new double[0][]),
                  confidence));
      for (int i = 0; i < solved.length; i++) {
        allocation[suboptimal.get(i)] = solved[i];
      }
    }
    return allocation;
  }

  private int explore(OamState state, Gaps gaps, int context) {
    double most = confidence / (gaps.least * gaps.least);
    int behind = -1;
    int rarest = -1;
    double leastShare = Double.POSITIVE_INFINITY;
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      if (!gaps.kept.get(row)) {
        continue;
      }
      double target = Math.min(state.allocation[row], most);
      double share = state.pulls[row] / target;
      if (state.pulls[row] < target && share < leastShare) {
        leastShare = share;
        behind = arm;
      }
      if (rarest < 0 || state.pulls[row] < state.pulls[table.row(context, rarest)]) {
        rarest = arm;
      }
    }
    if (behind < 0) {
      return greatest(context, gaps, indices(state, context));
    }
    boolean isForced =
        state.pulls[table.row(context, rarest)] <= schedule.forced() * state.explored;
    return isForced ? rarest : behind;
  }

  private double[] indices(OamState state, int context) {
    double radius = Math.sqrt(schedule.confidenceAfter(state.explored));
    double[] indices = new double[table.size()];
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      double index = state.mean(row) + radius * Math.sqrt(state.squaredWidth(row));
      indices[row] = Math.min(prior.upper(row), index);
    }
    return indices;
  }

  /** Returns the kept arm with the greatest value, the first of several. */
  private int greatest(int context, Gaps gaps, double[] values) {
    int greatest = -1;
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      boolean isAhead = greatest < 0 || values[row] > values[table.row(context, greatest)];
      if (gaps.kept.get(row) && isAhead) {
        greatest = arm;
      }
    }
    return greatest;
  }
}
