package io.equipoise.segment;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.RewardEvent;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.AttributeFault;
import io.equipoise.segmentspec.Encoded;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with an event, whatever came before it. */
public final class ReadingFaults {
  private ReadingFaults() {}

  /**
   * Returns the fault for which a segment under a spec rejects an input in every state, or null if
   * some state accepts it.
   */
  public static @Nullable InputFault of(Input input, CompiledSpec spec) {
    InputFault fault = input.fault();
    if (fault != null) {
      return fault;
    }
    if (input instanceof ContextEvent context) {
      return ContextReading.of(context, spec).fault();
    }
    RewardEvent reward = (RewardEvent) input;
    return RewardReading.lacksId(reward, spec)
        ? RewardReading.LACKS_ID
        : RewardReading.of(reward, spec).fault();
  }

  /**
   * Returns the fault of variables that cannot be used: the code of the first, the messages and
   * names of all.
   *
   * @param of what the variables belong to, a beginning of the message
   */
  static InputFault of(String of, Encoded encoded) {
    List<AttributeFault> faults = encoded.faults();
    String message = faults.stream().map(AttributeFault::message).collect(Collectors.joining("; "));
    return new InputFault(
        ErrorCode.valueOf(faults.get(0).code().name()),
        of + message,
        faults.stream().map(AttributeFault::variable).toList());
  }
}
