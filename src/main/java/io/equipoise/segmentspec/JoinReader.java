package io.equipoise.segmentspec;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code join}. */
final class JoinReader {
  static final Duration LEAST = Duration.ofSeconds(1);
  static final Duration MOST = Duration.ofDays(30);

  private static final String INDEPENDENT = "independent-of-outcome";

  /** The default bound of entries, unless more come within window and dedup at the rate below. */
  private static final long LEAST_DEFAULT_ENTRIES = 1_000_000;

  private static final long DEFAULT_DECISIONS_PER_SECOND = 100;
  private static final int MOST_ENTRIES = 1_000_000_000;

  private JoinReader() {}

  /**
   * Returns null after a fault.
   *
   * @param arms ids of all; null if they cannot be told
   * @param reward null after a fault of its own
   */
  static @Nullable JoinSpec read(
      @Nullable Field field, @Nullable List<String> arms, @Nullable RewardRule reward) {
    if (field == null) {
      return null;
    }
    Section section =
        Section.of(
            field,
            "reward-window",
            "early-reward-timeout",
            "dedup-window",
            "aggregate",
            "learn",
            "delay",
            "max-pending",
            "shown",
            "fallback");
    Field windowField = section.require("reward-window", "how long a reward may take, like 30m");
    Duration window = windowField == null ? null : windowField.duration(LEAST, MOST);
    Duration early = durationOr(section.get("early-reward-timeout"), window);
    Duration dedup = durationOr(section.get("dedup-window"), window);
    Field aggregateField = section.get("aggregate");
    Aggregate aggregate =
        aggregateField == null
            ? Aggregate.FIRST
            : aggregateField.oneOf(Aggregate.values(), Aggregate::wire);
    boolean isBiased =
        reward != null && reward.byDefault() != null && !isIndependent(section.get("delay"));
    Learn learn = release(section.get("learn"), aggregate, isBiased);
    Field entriesField = section.get("max-pending");
    Long maxPending =
        entriesField == null ? defaultEntries(window, dedup) : entriesField.whole(1, MOST_ENTRIES);
    Field shownField = section.get("shown");
    ShownRule shownRule =
        shownField == null
            ? ShownRule.ASSUMED
            : shownField.oneOf(ShownRule.values(), ShownRule::wire);
    String fallback = fallback(section.get("fallback"), arms);
    if (window == null
        || early == null
        || dedup == null
        || aggregate == null
        || learn == null
        || maxPending == null
        || shownRule == null) {
      return null;
    }
    return new JoinSpec(
        window, early, dedup, aggregate, learn, maxPending.intValue(), shownRule, fallback);
  }

  /** A long window must not evict decisions that a short one would keep at the same rate. */
  private static @Nullable Long defaultEntries(
      @Nullable Duration window, @Nullable Duration dedup) {
    return window == null || dedup == null
        ? null
        : Long.valueOf(
            Math.max(
                LEAST_DEFAULT_ENTRIES,
                DEFAULT_DECISIONS_PER_SECOND * window.plus(dedup).toSeconds()));
  }

  /** Says whether the spec states that how long a reward takes tells nothing of its value. */
  private static boolean isIndependent(@Nullable Field field) {
    String word = field == null ? null : field.text();
    if (field != null && word != null && !word.equals(INDEPENDENT)) {
      field.fault(INDEPENDENT + ", or leave it out");
    }
    return INDEPENDENT.equals(word);
  }

  /**
   * Reads when a reward is learned.
   *
   * @param isBiased whether silence counts as a reward, which is known later than any other, so
   *     that what is learned on arrival depends on its value
   */
  private static @Nullable Learn release(
      @Nullable Field field, @Nullable Aggregate aggregate, boolean isBiased) {
    boolean isOnlyOne = aggregate == null || aggregate == Aggregate.FIRST;
    if (field == null) {
      return isOnlyOne && !isBiased ? Learn.ON_ARRIVAL : Learn.ON_WINDOW_CLOSE;
    }
    Learn learn = field.oneOf(Learn.values(), Learn::wire);
    if (learn == Learn.ON_ARRIVAL && !isOnlyOne) {
      field.fault(
          "on-window-close: several rewards are known only then; aggregate: first takes both");
      return null;
    }
    if (learn == Learn.ON_ARRIVAL && isBiased) {
      field.fault(
          "on-window-close: reward.default makes silence a reward that is known only then, so what"
              + " is learned at once is biased towards fast outcomes; or join.delay: "
              + INDEPENDENT
              + " where the delay of a reward does not depend on its value");
      return null;
    }
    return learn;
  }

  private static @Nullable Duration durationOr(@Nullable Field field, @Nullable Duration window) {
    return field == null ? window : field.duration(LEAST, MOST);
  }

  private static @Nullable String fallback(@Nullable Field field, @Nullable List<String> arms) {
    String id = field == null ? null : field.text();
    if (field != null && id != null && arms != null && !arms.contains(id)) {
      field.fault(Nearest.oneOf(id, arms));
    }
    return id;
  }
}
