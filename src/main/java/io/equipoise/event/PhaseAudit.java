package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One closed phase of an experiment. Meaning and unit of every component are documented in {@code
 * avro/FairnessAudit.avsc}.
 */
public record PhaseAudit(
    int place,
    String stage,
    int number,
    int phases,
    String mode,
    String estimate,
    List<String> groups,
    List<String> catalogue,
    String incumbent,
    long samples,
    int pulls,
    double tau,
    double epsilon,
    double effectBand,
    double rewardBand,
    double level,
    List<ShareAudit> allocation,
    List<Long> arrived,
    long missing,
    long late,
    long holds,
    long rewardsLate,
    long rewardsDuplicate,
    double costSpent,
    double budget,
    List<ArmAudit> arms,
    List<String> fair,
    @Nullable String leader,
    boolean gateClosed,
    List<EliminationAudit> eliminated,
    List<String> after,
    String statsHash) {

  public PhaseAudit {
    groups = List.copyOf(groups);
    catalogue = List.copyOf(catalogue);
    allocation = List.copyOf(allocation);
    arrived = List.copyOf(arrived);
    arms = List.copyOf(arms);
    fair = List.copyOf(fair);
    eliminated = List.copyOf(eliminated);
    after = List.copyOf(after);
  }

  /** Returns the same with other names of groups, counts of samples and hash. */
  public PhaseAudit with(List<String> groups, List<Long> arrived, String statsHash) {
    return with(groups, allocation, arrived, missing, rewardsLate, rewardsDuplicate, statsHash);
  }

  /** Returns the same with other counts of samples: planned, come and lost. */
  public PhaseAudit with(List<ShareAudit> allocation, List<Long> arrived, long missing) {
    return with(groups, allocation, arrived, missing, rewardsLate, rewardsDuplicate, statsHash);
  }

  /** Returns the same with other counts of rewards that came too late, or again. */
  public PhaseAudit with(long rewardsLate, long rewardsDuplicate) {
    return with(groups, allocation, arrived, missing, rewardsLate, rewardsDuplicate, statsHash);
  }

  private PhaseAudit with(
      List<String> groups,
      List<ShareAudit> allocation,
      List<Long> arrived,
      long missing,
      long rewardsLate,
      long rewardsDuplicate,
      String statsHash) {
    return new PhaseAudit(
        place,
        stage,
        number,
        phases,
        mode,
        estimate,
        groups,
        catalogue,
        incumbent,
        samples,
        pulls,
        tau,
        epsilon,
        effectBand,
        rewardBand,
        level,
        allocation,
        arrived,
        missing,
        late,
        holds,
        rewardsLate,
        rewardsDuplicate,
        costSpent,
        budget,
        arms,
        fair,
        leader,
        gateClosed,
        eliminated,
        after,
        statsHash);
  }
}
