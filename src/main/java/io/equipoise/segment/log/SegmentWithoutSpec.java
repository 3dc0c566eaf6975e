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
 * Refuses the inputs of a segment without state that gets none: no spec covers it, or the job has
 * too many segments. Else every name that a sender makes up would stay in the state for good.
 *
 * <p>Its records have the seq {@value #UNNUMBERED}, outside the numbers of a segment. A repeated
 * context is refused again.
 */
public record SegmentWithoutSpec(WriterEpoch writerEpoch, OutputLog log) {
  /** The seq of an answer that changes no state. */
  public static final long UNNUMBERED = 0;

  /**
   * Says whether a segment has neither a spec nor any state.
   *
   * @param selected the spec that covers it, null where none does
   */
  public static boolean is(@Nullable CompiledSpec selected, SegmentState state) {
    return selected == null && state.head() == null && state.passivated() == null;
  }

  /**
   * Refuses an input, and answers a context, which keeps the arm that an earlier attempt gave it.
   *
   * @param reason why the segment gets no state; an error of the input's own goes first
   * @param given the answer of that attempt, null where it gave none, and for a reward
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

  /** Returns why an input of a segment that no spec covers is refused. */
  public static InputFault fault(String segment) {
    return new InputFault(ErrorCode.UNKNOWN_SEGMENT, "no spec covers segment " + segment);
  }

  /**
   * Says whether an answer is as this class writes it: it says of its context the ids, the time and
   * the place, and why it is refused, and nothing else.
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
   * Returns a decision that changes no state and rests on no spec.
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
