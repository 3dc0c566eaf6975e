package io.equipoise.join;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.PropensityKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses the inputs of a segment that no spec covers and that has no state. It keeps none: else
 * every name that a sender makes up would stay in the state for good.
 *
 * <p>Its records have the seq {@value #UNNUMBERED}, outside the numbers of a segment. A repeated
 * context is refused again.
 */
public final class UncoveredSegment {
  /** The seq of an answer that changes no state. */
  public static final long UNNUMBERED = 0;

  private final Attempt attempt;
  private final OutputLog log;

  UncoveredSegment(Attempt attempt, OutputLog log) {
    this.attempt = attempt;
    this.log = log;
  }

  /** Says whether a segment has neither a spec nor any state. */
  static boolean is(String segment, SegmentState state, SpecBook book) {
    return book.select(segment) == null && state.head() == null && state.stub() == null;
  }

  /** Refuses a context, which keeps the arm that an earlier attempt gave it. */
  void refuse(ContextEvent event) {
    @Nullable Decision given = attempt.given().take(event);
    ErrorCode code = refuse((Input) event);
    log.decision(
        decision(
            event.decisionId(),
            event.segment(),
            attempt.number(),
            given == null ? null : given.arm(),
            event.eventTime(),
            event.origin().topic(),
            event.origin().partition(),
            event.origin().offset(),
            code.name(),
            attempt.keyGroups().applyAsInt(event.segment()),
            given != null));
  }

  /** Writes the dead letter of an input and returns why it is refused. */
  ErrorCode refuse(Input event) {
    @Nullable ErrorCode fault = event.fault();
    ErrorCode code = fault == null ? ErrorCode.UNKNOWN_SEGMENT : fault;
    String message = fault == null ? fact(event.segment()) : String.valueOf(event.faultMessage());
    log.deadLetter(DeadLetter.of(code, message, event).by(attempt.number(), UNNUMBERED));
    return code;
  }

  /** Returns what the dead letter of an input of such a segment says. */
  static String fact(String segment) {
    return "no spec covers segment " + segment + "; publish one or correct the segment";
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
                answer.segment(),
                answer.attempt(),
                answer.arm(),
                answer.eventTime(),
                answer.contextTopic(),
                answer.contextPartition(),
                answer.contextOffset(),
                answer.errorCode(),
                answer.keyGroup(),
                answer.recovered()));
  }

  private static Decision decision(
      String decisionId,
      String segment,
      int attempt,
      @Nullable String arm,
      long eventTime,
      @Nullable String topic,
      int partition,
      long offset,
      String errorCode,
      int keyGroup,
      boolean isRecovered) {
    return new Decision(
        decisionId,
        segment,
        Journal.SHARD,
        attempt,
        UNNUMBERED,
        arm,
        arm == null ? List.of() : List.of(arm),
        arm == null ? List.of() : List.of(1.0),
        PropensityKind.DETERMINISTIC,
        null,
        null,
        null,
        "",
        null,
        null,
        null,
        null,
        null,
        eventTime,
        topic,
        partition,
        offset,
        null,
        null,
        DecisionWhy.REJECTED,
        false,
        null,
        errorCode,
        null,
        null,
        keyGroup,
        isRecovered,
        null,
        null);
  }
}
