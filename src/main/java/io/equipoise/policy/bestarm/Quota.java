package io.equipoise.policy.bestarm;

/**
 * Turns shares into whole pulls: by largest remainder, then pulls are moved to the cheapest arm of
 * their type until the phase is within its budget.
 */
final class Quota {
  private static final double ROUNDING = 1e-9;

  private Quota() {}

  /** Returns pulls by type and arm that sum to {@code pulls} and cost at most B times as many. */
  static int[][] of(Allocation allocation, int pulls, Costs costs) {
    double[][] shares = allocation.shares();
    int[][] counts = new int[shares.length][costs.arms()];
    int given = 0;
    for (int type = 0; type < shares.length; type++) {
      for (int arm = 0; arm < costs.arms(); arm++) {
        counts[type][arm] = (int) Math.floor(shares[type][arm] * pulls + ROUNDING);
        given += counts[type][arm];
      }
    }
    for (; given < pulls; given++) {
      int[] cell = farthestBelow(shares, counts, pulls);
      counts[cell[0]][cell[1]]++;
    }
    while (costs.total(counts) > costs.budget() * pulls + ROUNDING) {
      int[] cell = farthestAbove(shares, counts, pulls, costs);
      counts[cell[0]][cell[1]]--;
      counts[cell[0]][costs.cheapest()]++;
    }
    return counts;
  }

  /** Returns the cell that lacks most; of several the first by type, then by arm. */
  private static int[] farthestBelow(double[][] shares, int[][] counts, int pulls) {
    int[] best = {0, 0};
    double most = Double.NEGATIVE_INFINITY;
    for (int type = 0; type < shares.length; type++) {
      for (int arm = 0; arm < shares[type].length; arm++) {
        double lack = shares[type][arm] * pulls - counts[type][arm];
        if (lack > most + ROUNDING) {
          most = lack;
          best = new int[] {type, arm};
        }
      }
    }
    return best;
  }

  private static int[] farthestAbove(double[][] shares, int[][] counts, int pulls, Costs costs) {
    int[] best = {0, costs.cheapest()};
    double most = Double.NEGATIVE_INFINITY;
    for (int type = 0; type < shares.length; type++) {
      for (int arm = 0; arm < shares[type].length; arm++) {
        double over = counts[type][arm] - shares[type][arm] * pulls;
        boolean isCostly = costs.of(arm) > costs.of(costs.cheapest());
        if (isCostly && counts[type][arm] > 0 && over > most + ROUNDING) {
          most = over;
          best = new int[] {type, arm};
        }
      }
    }
    return best;
  }
}
