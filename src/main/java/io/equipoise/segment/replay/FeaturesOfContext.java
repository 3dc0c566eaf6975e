package io.equipoise.segment.replay;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.InputFault;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.segment.ContextReading;
import io.equipoise.segment.log.RecordFields;
import io.equipoise.segment.state.CompiledSpec;
import java.util.List;

/** Restores the features that a decision's record leaves off from the record of its context. */
public final class FeaturesOfContext {
  private FeaturesOfContext() {}

  /**
   * Returns the decision with all its features.
   *
   * @param shown a decision that lacks its features
   * @param context the context at its origin
   * @param spec the spec that the decision names
   * @throws ReplayMismatchException if the context is another, or could not have been decided on
   */
  public static Decision in(Decision shown, ContextEvent context, CompiledSpec spec) {
    if (!context.decisionId().equals(shown.decisionId())
        || !context.segment().equals(shown.segment())) {
      throw mismatch(
          shown,
          "is that of decision_id %s of segment %s"
              .formatted(context.decisionId(), context.segment()));
    }
    ContextReading reading = ContextReading.of(context, spec);
    InputFault fault = reading.fault();
    if (fault != null) {
      throw mismatch(shown, "could not be decided about: " + fault.code());
    }
    List<Candidate> candidates = reading.own().among(shown.candidates()).candidates();
    return shown.withFeatures(
        RecordFields.features(reading.person(), spec),
        candidates == null ? null : RecordFields.features(candidates));
  }

  private static ReplayMismatchException mismatch(Decision shown, String what) {
    return new ReplayMismatchException(
        "seq %d of segment %s leaves its features off, and the context at %s %s"
            .formatted(shown.seq(), shown.segment(), shown.source(), what));
  }
}
