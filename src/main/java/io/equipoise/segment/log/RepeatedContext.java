package io.equipoise.segment.log;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.Place;
import io.equipoise.event.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the decision on a context whose id is in the dedup window, whether its content is equal or
 * not: REPEATED with the arm first given. It has the seq {@value SegmentWithoutSpec#UNNUMBERED},
 * belongs to no account of decisions and does not name the spec; the first decision lists
 * candidates and propensities.
 *
 * <p>A repeat of a rejected context or of one after its deadline gets the arm that was given then,
 * or none. Nothing in the record depends on whether contents are equal.
 */
public final class RepeatedContext {
  private RepeatedContext() {}

  /** Returns the decision on a repeated context; {@code arm} is null if none was given first. */
  static Decision decision(ContextEvent event, @Nullable String arm, WriterEpoch by) {
    return decision(
        event.decisionId(),
        event.segment(),
        by.number(),
        event.origin().source(),
        event.eventTime(),
        arm,
        by.keyGroups().applyAsInt(event.segment()));
  }

  /**
   * Returns whether a REPEATED decision is, bit for bit, the one that its context, its arm and its
   * writer determine.
   */
  public static boolean isDecision(Decision decision) {
    return decision.equals(
        decision(
            decision.decisionId(),
            decision.segment(),
            decision.writerEpoch(),
            decision.source(),
            decision.eventTime(),
            decision.arm(),
            decision.keyGroup()));
  }

  private static Decision decision(
      String decisionId,
      String segment,
      int writerEpoch,
      Source source,
      long eventTime,
      @Nullable String arm,
      int keyGroup) {
    return SegmentWithoutSpec.unnumbered(
        decisionId,
        new Place(segment, writerEpoch, SegmentWithoutSpec.UNNUMBERED),
        source,
        eventTime,
        arm,
        List.of(),
        DecisionReason.REPEATED,
        null,
        keyGroup,
        false);
  }
}
