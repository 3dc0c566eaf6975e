package io.equipoise.segment;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.RewardEvent;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Aggregate;
import io.equipoise.segmentspec.Encoded;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a reward under a spec, or finds the fault that rejects it in every state of the segment.
 */
public record RewardReading(Encoded mediators, @Nullable InputFault fault) {
  /** Rejects a reward without an id where the spec requires one. */
  static final InputFault LACKS_ID =
      new InputFault(ErrorCode.MISSING_REWARD_ID, "this segment aggregates rewards");

  /** Reads a reward; the job and {@code equipoise evaluate} reject a reward with a fault. */
  public static RewardReading of(RewardEvent event, CompiledSpec spec) {
    Encoded mediators = spec.encoder().encodeMediators(event.mediators());
    Double reward = event.reward();
    if (!mediators.isValid() || reward == null) {
      return new RewardReading(
          mediators, mediators.isValid() ? null : ReadingFaults.of("", mediators));
    }
    Aggregate aggregate = spec.spec().join().aggregate();
    String refusal =
        aggregate == Aggregate.SUM // what is summed up need not be learnable by itself
            ? spec.spec().reward().refusalOf(reward)
            : spec.refusalOf(reward);
    if (refusal != null) {
      return new RewardReading(mediators, new InputFault(ErrorCode.REWARD_OUT_OF_RANGE, refusal));
    }
    if (aggregate == Aggregate.FIRST && !spec.policy().canLearn(mediators.levels())) {
      return new RewardReading(
          mediators,
          new InputFault(
              ErrorCode.MISSING_MEDIATOR,
              spec.policy().needsOfMediators(),
              spec.policy().mediatorsNeeded()));
    }
    return new RewardReading(mediators, null);
  }

  /** Returns whether a reward lacks the id that its spec requires. */
  static boolean lacksId(RewardEvent event, CompiledSpec spec) {
    return spec.spec().join().aggregate() != Aggregate.FIRST
        && event.rewardId() == null
        && !event.isConfirmation();
  }
}
