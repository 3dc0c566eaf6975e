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
  /** Said of a context which an attempt refuses since an earlier one had written so. */
  public static final String REFUSED_BEFORE = "it was refused before the job was restarted";

  private Faults() {}

  /**
   * Why an input is refused.
   *
   * @param fact without the remedy, which the code has
   */
  public record Fault(ErrorCode code, String fact) {}

  /**
   * Returns for what fault a segment under a spec refuses an input, or null where it could take it
   * in some state.
   */
  public static @Nullable Fault of(Input input, CompiledSpec spec) {
    ErrorCode fault = input.fault();
    if (fault != null) {
      return new Fault(fault, String.valueOf(input.faultMessage()));
    }
    if (input instanceof ContextEvent context) {
      ContextReading reading = ContextReading.of(context, spec);
      ErrorCode code = reading.fault();
      return code == null ? null : new Fault(code, reading.message());
    }
    RewardEvent reward = (RewardEvent) input;
    if (RewardReading.lacksId(reward, spec)) {
      return new Fault(ErrorCode.MISSING_REWARD_ID, RewardReading.LACKS_ID);
    }
    RewardReading reading = RewardReading.of(reward, spec);
    ErrorCode code = reading.fault();
    return code == null ? null : new Fault(code, reading.message());
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
