package io.equipoise.policy.bestarm;

/** Where a batch search gets its samples. */
public interface SampleSource {
  /**
   * Takes the samples of one phase.
   *
   * @param quota how many, by the number of {@link PullType} and arm; only natural pulls in {@link
   *     Mode#NATURAL}
   */
  void pull(Phase phase, int[][] quota, Sink into);

  /** Takes samples; see {@link SampleSums#add} for the arguments. */
  interface Sink {
    void add(int type, int group, int arm, int z, int v, double y);
  }
}
