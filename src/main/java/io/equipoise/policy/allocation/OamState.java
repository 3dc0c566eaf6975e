package io.equipoise.policy.allocation;

/** What OAM has learned of a table, and what it plans to try. For one thread. */
public record OamState(OamStatistics statistics, OamPlan plan) {
  /** Returns a state with nothing learned. */
  public static OamState of(OamTable table) {
    return new OamState(new OamStatistics(table), new OamPlan(table.size()));
  }
}
