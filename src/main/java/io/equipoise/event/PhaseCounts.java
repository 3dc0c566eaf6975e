package io.equipoise.event;

import java.util.List;

/**
 * Counts the samples and rewards while a phase of a best-arm experiment was open. {@code
 * avro/ExperimentRecord.avsc} documents the meaning and unit of every component.
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

  /** Returns a copy with other counts of arrived and missing samples. */
  public PhaseCounts with(List<Long> arrived, long missing) {
    return new PhaseCounts(arrived, missing, late, notSampled, rewardsLate, rewardsDuplicate);
  }

  /** Returns a copy with other counts of late and duplicate rewards. */
  public PhaseCounts withRewards(long late, long duplicate) {
    return new PhaseCounts(arrived, missing, this.late, notSampled, late, duplicate);
  }
}
