package io.equipoise.segmentspec;

import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@code idle-state}. */
final class IdleStateReader {
  private IdleStateReader() {}

  /** Returns null if there is none, and after a fault; {@code join} and {@code policy} may be. */
  static @Nullable IdleStateSpec read(
      @Nullable Section section, @Nullable JoinSpec join, @Nullable PolicySpec policy) {
    if (section == null) {
      return null;
    }
    Field afterField = section.get("after");
    Duration after = section.duration("after", null);
    Field retainField = section.get("retain");
    Retain retain = section.word("retain", Retain.class);
    if (afterField != null && after != null && join != null && after.compareTo(memory(join)) < 0) {
      afterField.fault(
          "at least %d s: decisions and rewards are remembered that long (join)"
              .formatted(memory(join).toSeconds()));
    } else if (retainField != null
        && retain == Retain.NONE
        && policy != null
        && policy.family().isPhased()) {
      retainField.fault("model: an experiment that forgets its end would start again");
    }
    return after == null || retain == null || !section.isSound()
        ? null
        : new IdleStateSpec(after, retain);
  }

  /** How long something of the last input is remembered. */
  private static Duration memory(JoinSpec join) {
    Duration decision = join.rewardWindow().plus(join.dedupWindow());
    return decision.compareTo(join.earlyRewardTimeout()) < 0 ? join.earlyRewardTimeout() : decision;
  }
}
