package io.equipoise.event;

import java.util.List;

/**
 * What came while a phase of a best-arm experiment was open. Meaning and unit of every component
 * are documented in {@code avro/ExperimentRecord.avsc}.
 */
public record PhaseCounts(
    List<Long> arrived,
    long missing,
    long late,
    long notSampled,
    long rewardsLate,
    long rewardsDuplicate) {

  public PhaseCounts {
    arrived = List.copyOf(arrived);
  }

  /** Returns the same counts with other counts of samples: arrived and lost. */
  public PhaseCounts with(List<Long> arrived, long missing) {
    return new PhaseCounts(arrived, missing, late, notSampled, rewardsLate, rewardsDuplicate);
  }

  /** Returns the same counts with other counts of rewards that came too late, or again. */
  public PhaseCounts withRewards(long late, long duplicate) {
    return new PhaseCounts(arrived, missing, this.late, notSampled, late, duplicate);
  }
}
