package io.equipoise.join;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.RewardEvent;
import io.equipoise.spec.AttributeFault;
import io.equipoise.spec.Encoded;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in the dead letter's words what is wrong with an event, whatever came before it. */
public final class Faults {
  private Faults() {}

  /**
   * Returns for what fault a segment under a spec refuses an input, or null where it could take it
   * in some state.
   */
  public static @Nullable ErrorCode of(Input input, CompiledSpec spec) {
    if (input.fault() != null) {
      return input.fault();
    }
    if (input instanceof ContextEvent context) {
      return ContextReading.of(context, spec).fault();
    }
    RewardEvent reward = (RewardEvent) input;
    return RewardReading.lacksId(reward, spec)
        ? ErrorCode.MISSING_REWARD_ID
        : RewardReading.of(reward, spec).fault();
  }

  /** Returns the code of the first fault. */
  static ErrorCode code(Encoded encoded) {
    return ErrorCode.valueOf(encoded.faults().get(0).code().name());
  }

  /** Returns the messages of all faults. */
  static String message(Encoded encoded) {
    return encoded.faults().stream().map(AttributeFault::message).collect(Collectors.joining("; "));
  }
}
