package io.equipoise.job.start;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.ShownRule;
import java.time.Duration;
import java.util.Optional;

/**
 * Warns of specs under which an outage teaches that no arm was rewarded. The reward window begins
 * at a context's event time, but the job may publish the decision only after the outage.
 */
public final class RewardWindowCheck {
  /** Number of longest outages that must fit into a window. */
  private static final int LEAST_WINDOWS = 3;

  private RewardWindowCheck() {}

  /**
   * Returns the warning of a spec, or nothing.
   *
   * @param maxOutage longest outage without loss, an option of the job
   */
  public static Optional<String> warning(SegmentSpec spec, Duration maxOutage) {
    Duration least = maxOutage.multipliedBy(LEAST_WINDOWS);
    boolean isSilenceLearned =
        spec.reward().byDefault() != null && spec.join().shown() == ShownRule.ASSUMED;
    return isSilenceLearned && spec.join().rewardWindow().compareTo(least) < 0
        ? Optional.of(
            ("join.reward-window is %d s, less than 3 times equipoise.max-outage (%d s): decisions"
                    + " that an outage delays are learned as silent"
                    + " (reward.default). Lengthen the window, set join.shown to confirmed, or send"
                    + " every context with a deadline")
                .formatted(spec.join().rewardWindow().toSeconds(), maxOutage.toSeconds()))
        : Optional.empty();
  }
}
