package io.equipoise.watch;

import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Versions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies records of a log with one difference. */
public final class ForgedRecords {
  private ForgedRecords() {}

  /** Returns a record of an event whose learned reward is the other one of 0 and 1. */
  public static LoggedRecord flipped(LoggedRecord logged) {
    SegmentEvent event = (SegmentEvent) logged.output();
    JoinedDecision of = Objects.requireNonNull(event.decision());
    JoinedDecision other =
        new JoinedDecision(
            of.id(),
            of.hash(),
            of.seq(),
            of.arm(),
            of.propensity(),
            of.propensities(),
            of.features(),
            of.mediators(),
            1 - Objects.requireNonNull(of.learnedReward()),
            of.reason());
    return new LoggedRecord(with(event, event.place(), other), logged.offset());
  }

  /** Returns a record as an attempt of a job with at-least-once delivery writes it. */
  public static LoggedRecord ofWriterEpoch(LoggedRecord logged, int writerEpoch) {
    Place place = new Place(logged.output().segment(), writerEpoch, logged.output().seq());
    if (logged.output() instanceof Decision decision) {
      return decision(logged, place, decision.versions(), decision.reason(), decision.features());
    }
    SegmentEvent event = (SegmentEvent) logged.output();
    return new LoggedRecord(with(event, place, event.decision()), logged.offset());
  }

  private static SegmentEvent with(
      SegmentEvent event, Place place, @Nullable JoinedDecision decision) {
    return new SegmentEvent(
        event.type(),
        place,
        event.eventTime(),
        event.versions(),
        decision,
        event.reward(),
        event.adoption(),
        event.previousBoundsHash(),
        event.modelRetained(),
        event.abortReason(),
        event.assumption(),
        event.refutedBounds(),
        event.redaction());
  }

  /** Returns a record of a decision with other parts. */
  public static LoggedRecord decision(
      LoggedRecord logged,
      Place place,
      Versions versions,
      DecisionReason reason,
      @Nullable List<Double> features) {
    Decision of = (Decision) logged.output();
    return new LoggedRecord(
        new Decision(
            of.decisionId(),
            place,
            of.source(),
            of.eventTime(),
            versions,
            of.policy(),
            of.arm(),
            reason,
            of.errorCode(),
            of.certified(),
            of.fairSetSize(),
            of.candidates(),
            of.propensities(),
            of.estimate(),
            features,
            of.candidateFeatures(),
            of.sample(),
            of.keyGroup(),
            of.recovered(),
            of.redaction()),
        logged.offset());
  }
}
