package io.equipoise.segmentspec;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code join}. */
final class JoinReader {
  private static final String INDEPENDENT = "independent-of-outcome";

  /**
   * The least default of {@code max-pending}; more if more decisions arrive within window and dedup
   * at the rate below.
   */
  private static final long LEAST_DEFAULT_ENTRIES = 1_000_000;

  private static final long DEFAULT_DECISIONS_PER_SECOND = 100;

  private JoinReader() {}

  /**
   * Returns null after a fault.
   *
   * @param arms ids of all; null if they are unknown
   * @param reward null after a fault of its own
   */
  static @Nullable JoinSpec read(
      @Nullable Section section, @Nullable List<String> arms, @Nullable RewardRule reward) {
    if (section == null) {
      return null;
    }
    Duration window = section.duration("reward-window", null);
    Duration early = section.duration("early-reward-timeout", window);
    Duration dedup = section.duration("dedup-window", window);
    Aggregate aggregate = section.word("aggregate", Aggregate.class);
    boolean isIndependent = section.word("delay", Delay.class) != null;
    boolean isBiased = reward != null && reward.byDefault() != null && !isIndependent;
    Learn learn = learn(section, aggregate, isBiased);
    long maxPending = section.whole("max-pending", defaultEntries(window, dedup));
    ShownRule shownRule = section.word("shown", ShownRule.class);
    String fallback = fallback(section.get("fallback"), arms);
    if (window == null
        || early == null
        || dedup == null
        || aggregate == null
        || learn == null
        || shownRule == null
        || !section.isSound()) {
      return null;
    }
    return new JoinSpec(
        window, early, dedup, aggregate, learn, (int) maxPending, shownRule, fallback);
  }

  /** Names what a spec states about the delay of rewards. */
  private enum Delay {
    INDEPENDENT_OF_OUTCOME
  }

  /**
   * Returns the default of {@code max-pending}, so that a long window evicts no decisions that a
   * short one would keep at the same rate.
   */
  private static long defaultEntries(@Nullable Duration window, @Nullable Duration dedup) {
    return window == null || dedup == null
        ? LEAST_DEFAULT_ENTRIES
        : Math.min(
            JoinSpec.MOST_ENTRIES,
            Math.max(
                LEAST_DEFAULT_ENTRIES,
                DEFAULT_DECISIONS_PER_SECOND * window.plus(dedup).toSeconds()));
  }

  /**
   * Reads when a reward is learned.
   *
   * @param isBiased whether silence counts as a reward, which is known later than any other, so
   *     that what is learned on arrival depends on its value
   */
  private static @Nullable Learn learn(
      Section section, @Nullable Aggregate aggregate, boolean isBiased) {
    boolean isOnlyOne = aggregate == null || aggregate == Aggregate.FIRST;
    Field field = section.get("learn");
    Learn learn =
        section.word(
            "learn",
            Learn.class,
            isOnlyOne && !isBiased ? Learn.ON_ARRIVAL : Learn.ON_WINDOW_CLOSE);
    if (field != null && learn == Learn.ON_ARRIVAL && !isOnlyOne) {
      field.fault(
          "on-window-close: several rewards are known only then; aggregate: first takes both");
    } else if (field != null && learn == Learn.ON_ARRIVAL && isBiased) {
      field.fault(
          "on-window-close: reward.default makes silence a reward that is known only then, so what"
              + " is learned at once is biased towards fast outcomes; or join.delay: "
              + INDEPENDENT
              + " where the delay of a reward does not depend on its value");
    }
    return learn;
  }

  private static @Nullable String fallback(@Nullable Field field, @Nullable List<String> arms) {
    String id = field == null ? null : field.text();
    if (field != null && id != null && arms != null && !arms.contains(id)) {
      field.fault(Nearest.oneOf(id, arms));
    }
    return id;
  }
}
