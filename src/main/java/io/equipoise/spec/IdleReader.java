package io.equipoise.spec;

import io.equipoise.spec.IdleSpec.Keep;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@code idle}. */
final class IdleReader {
  private static final Duration MOST = Duration.ofDays(3650);

  private IdleReader() {}

  /** Returns null if there is none, and after a fault; {@code join} and {@code policy} may be. */
  static @Nullable IdleSpec read(
      @Nullable Field field, @Nullable JoinSpec join, @Nullable PolicySpec policy) {
    if (field == null) {
      return null;
    }
    Section section = Section.of(field, "after", "keep");
    Field afterField = section.require("after", "how long without input, like 30d");
    Duration after = afterField == null ? null : afterField.duration(JoinReader.LEAST, MOST);
    Field keepField = section.get("keep");
    Keep keep = keepField == null ? Keep.MODEL : keepField.oneOf(Keep.values(), Keep::wire);
    if (afterField != null && after != null && join != null && after.compareTo(memory(join)) < 0) {
      afterField.fault(
          "at least %d s: decisions and rewards are remembered that long (join)"
              .formatted(memory(join).toSeconds()));
      return null;
    }
    if (keepField != null
        && keep == Keep.NOTHING
        && policy != null
        && policy.name().family() == PolicyName.Family.EXPERIMENT) {
      keepField.fault("model: a search that forgets its end would begin anew");
      return null;
    }
    return after == null || keep == null ? null : new IdleSpec(after, keep);
  }

  /** How long something of the last input is remembered. */
  private static Duration memory(JoinSpec join) {
    Duration decision = join.window().plus(join.dedupHorizon());
    return decision.compareTo(join.earlyHorizon()) < 0 ? join.earlyHorizon() : decision;
  }
}
