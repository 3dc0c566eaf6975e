package io.equipoise.policy.bestarm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Runs a search on a source of samples, phase by phase: the algorithms as the paper prints them.
 */
public final class BatchSearch {
  private final Design design;
  private final BiFunction<Phase, BitSet, Allocation> allocate;

  public BatchSearch(Design design) {
    this(design, design::allocate);
  }

  /** Takes allocations from elsewhere, for example from a cache over {@link #allocation}. */
  public BatchSearch(Design design, BiFunction<Phase, BitSet, Allocation> allocate) {
    this.design = design;
    this.allocate = allocate;
  }

  /** Returns the division of a phase; it depends on its stage and the arms that are left only. */
  public static Allocation allocation(Design design, Phase phase, BitSet remaining) {
    return design.allocate(phase, remaining);
  }

  /**
   * Reports the outcome of a search.
   *
   * @param verdicts of the phases that were run
   * @param pulls how many samples were taken
   */
  public record Result(Conclusion conclusion, List<SearchVerdict> verdicts, int pulls) {
    public Result {
      verdicts = List.copyOf(verdicts);
    }
  }

  /** Runs phases until one concludes. */
  public Result run(SampleSource source) {
    BitSet remaining = design.arms();
    SampleSums sums = new CellCounts(design.channels());
    List<SearchVerdict> verdicts = new ArrayList<>();
    int pulls = 0;
    int next = 0;
    while (next < design.plan().size()) {
      Phase phase = design.plan().get(next);
      if (!design.settings().algorithm().isCumulative) {
        sums.clear();
      }
      source.pull(phase, design.quota(phase, allocate.apply(phase, remaining)), sums::add);
      pulls += phase.pulls();
      SearchVerdict searchVerdict =
          design.close(phase, remaining, design.estimate(phase, remaining, sums));
      verdicts.add(searchVerdict);
      remaining = searchVerdict.after();
      if (searchVerdict.end().isPresent()) {
        return new Result(searchVerdict.end().get(), verdicts, pulls);
      }
      next++;
    }
    throw new IllegalStateException("the last phase of " + design.plan() + " did not conclude");
  }

  /** Draws the samples of a batch search. */
  public interface SampleSource {
    /**
     * Takes the samples of one phase.
     *
     * @param quota how many, by the number of {@link PullType} and arm; only natural pulls in
     *     {@link Mode#NATURAL}
     */
    void pull(Phase phase, int[][] quota, Sink into);

    /** Takes samples; see {@link SampleSums#add} for the arguments. */
    interface Sink {
      void add(int type, int group, int arm, int z, int v, double y);
    }
  }
}
