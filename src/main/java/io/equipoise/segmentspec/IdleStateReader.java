package io.equipoise.segmentspec;

import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@code idle}. */
final class IdleStateReader {
  private static final Duration MOST = Duration.ofDays(3650);

  private IdleStateReader() {}

  /** Returns null if there is none, and after a fault; {@code join} and {@code policy} may be. */
  static @Nullable IdleStateSpec read(
      @Nullable Field field, @Nullable JoinSpec join, @Nullable PolicySpec policy) {
    if (field == null) {
      return null;
    }
    Section section = Section.of(field, "after", "retain");
    Field afterField = section.require("after", "how long without input, like 30d");
    Duration after = afterField == null ? null : afterField.duration(JoinReader.LEAST, MOST);
    Field keepField = section.get("retain");
    Retain keep = keepField == null ? Retain.MODEL : keepField.oneOf(Retain.values(), Retain::wire);
    if (afterField != null && after != null && join != null && after.compareTo(memory(join)) < 0) {
      afterField.fault(
          "at least %d s: decisions and rewards are remembered that long (join)"
              .formatted(memory(join).toSeconds()));
      return null;
    }
    if (keepField != null && keep == Retain.NONE && policy != null && policy.family().isPhased()) {
      keepField.fault("model: a search that forgets its end would begin anew");
      return null;
    }
    return after == null || keep == null ? null : new IdleStateSpec(after, keep);
  }

  /** How long something of the last input is remembered. */
  private static Duration memory(JoinSpec join) {
    Duration decision = join.rewardWindow().plus(join.dedupWindow());
    return decision.compareTo(join.earlyRewardTimeout()) < 0 ? join.earlyRewardTimeout() : decision;
  }
}
