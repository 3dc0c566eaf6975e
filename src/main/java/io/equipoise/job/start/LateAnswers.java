package io.equipoise.job.start;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.ShownRule;
import java.time.Duration;
import java.util.Optional;

/**
 * Warns of specs under which an outage teaches that nobody wanted an arm: the window runs from the
 * event time of a context, which the job may answer only after the outage.
 */
public final class LateAnswers {
  /** So many of the longest outages must fit into a window. */
  private static final int LEAST_WINDOWS = 3;

  private LateAnswers() {}

  /**
   * Returns the warning of a spec, or nothing where it needs none.
   *
   * @param longestOutage that loses nothing, an option of the job
   */
  public static Optional<String> warning(SegmentSpec spec, Duration longestOutage) {
    Duration least = longestOutage.multipliedBy(LEAST_WINDOWS);
    boolean isSilenceLearned =
        spec.reward().byDefault() != null && spec.join().shown() == ShownRule.ASSUMED;
    return isSilenceLearned && spec.join().rewardWindow().compareTo(least) < 0
        ? Optional.of(
            ("join.reward-window is %d s, less than 3 times equipoise.max-outage (%d s): contexts"
                    + " that are answered late, after an outage, are learned as silent"
                    + " (reward.default). Lengthen the window, set join.shown to confirmed, or send"
                    + " every context with answer_by")
                .formatted(spec.join().rewardWindow().toSeconds(), longestOutage.toSeconds()))
        : Optional.empty();
  }
}
