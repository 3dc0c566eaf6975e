package io.equipoise.segment.log;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rejects the inputs of a segment that has no state and may not get any: no spec covers it, or the
 * job has too many segments. Otherwise every name that a sender makes up would stay in the state.
 *
 * <p>Its records have the seq {@value #UNNUMBERED}, outside the numbers of a segment. A repeated
 * context is rejected again.
 */
public record SegmentWithoutSpec(WriterEpoch writerEpoch, OutputLog log) {
  /** The seq of a decision that changes no state. */
  public static final long UNNUMBERED = 0;

  /**
   * Returns whether a segment has neither a spec nor any state.
   *
   * @param selected the spec that covers it, null if none does
   */
  public static boolean is(@Nullable CompiledSpec selected, SegmentState state) {
    return selected == null && state.head() == null && state.passivated() == null;
  }

  /**
   * Rejects an input. A context gets a decision with the arm that an earlier writer epoch gave it.
   *
   * @param reason why the segment gets no state; reported only if the input itself has no error
   * @param given the decision of that epoch, null if it made none, and for a reward
   */
  public void refuse(Input event, InputFault reason, @Nullable Decision given) {
    @Nullable InputFault own = event.fault();
    InputFault fault = own == null ? reason : own;
    log.write(DeadLetter.of(fault, event).by(writerEpoch.number(), UNNUMBERED));
    if (event instanceof ContextEvent context) {
      answer(context, fault.code(), given);
    }
  }

  private void answer(ContextEvent event, ErrorCode code, @Nullable Decision given) {
    log.write(
        decision(
            event.decisionId(),
            new Place(event.segment(), writerEpoch.number(), UNNUMBERED),
            event.origin().source(),
            event.eventTime(),
            given == null ? null : given.arm(),
            code.name(),
            writerEpoch.keyGroups().applyAsInt(event.segment()),
            given != null));
  }

  /** Returns the fault of an input whose segment no spec covers. */
  public static InputFault fault(String segment) {
    return new InputFault(ErrorCode.UNKNOWN_SEGMENT, "no spec covers segment " + segment);
  }

  /**
   * Returns whether a decision is one that this class writes: it has the ids, the time and the
   * position of its context and the reason of the rejection, and nothing else.
   */
  public static boolean isAnswer(Decision answer) {
    return answer.seq() == UNNUMBERED
        && answer.errorCode() != null
        && (answer.recovered() || answer.arm() == null)
        && answer.equals(
            decision(
                answer.decisionId(),
                answer.place(),
                answer.source(),
                answer.eventTime(),
                answer.arm(),
                answer.errorCode(),
                answer.keyGroup(),
                answer.recovered()));
  }

  private static Decision decision(
      String decisionId,
      Place place,
      Source source,
      long eventTime,
      @Nullable String arm,
      String errorCode,
      int keyGroup,
      boolean isRecovered) {
    return unnumbered(
        decisionId,
        place,
        source,
        eventTime,
        arm,
        arm == null ? List.of() : List.of(arm),
        DecisionReason.REJECTED,
        errorCode,
        keyGroup,
        isRecovered);
  }

  /**
   * Returns a decision that changes no state and depends on no spec.
   *
   * @param place with the seq {@value #UNNUMBERED}
   * @param candidates none, or the arm alone
   */
  static Decision unnumbered(
      String decisionId,
      Place place,
      Source source,
      long eventTime,
      @Nullable String arm,
      List<String> candidates,
      DecisionReason reason,
      @Nullable String errorCode,
      int keyGroup,
      boolean isRecovered) {
    return new Decision(
        decisionId,
        place,
        source,
        eventTime,
        Versions.NONE,
        "",
        arm,
        reason,
        errorCode,
        false,
        null,
        candidates,
        Propensities.SURE,
        null,
        null,
        null,
        null,
        keyGroup,
        isRecovered,
        null);
  }
}
