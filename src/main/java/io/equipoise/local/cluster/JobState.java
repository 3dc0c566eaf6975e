package io.equipoise.local.cluster;

/**
 * A job as its job manager sees it.
 *
 * @param startMillis epoch milliseconds
 * @param tasks of all operators
 * @param running tasks that run
 */
public record JobState(
    String id, String name, String state, long startMillis, int tasks, int running) {
  /** Says whether all of the job runs. */
  public boolean isWhole() {
    return state.equals("RUNNING") && tasks > 0 && running == tasks;
  }
}
