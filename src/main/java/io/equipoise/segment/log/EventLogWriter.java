package io.equipoise.segment.log;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.ExperimentSample;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.TerminalAudit;
import io.equipoise.fairness.ViolationSums;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.PhasedPolicy.ClosedPhase;
import io.equipoise.policy.Request;
import io.equipoise.segment.log.ExperimentRecords.Abort;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.PendingPropensities;
import io.equipoise.segment.state.SegmentContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a segment's records and numbers them: every change of state takes the next {@code seq},
 * gapless over decisions and segment events together; audit records carry their decision's.
 */
public final class EventLogWriter {
  private final SegmentContext segmentContext;
  private final OutputLog log;
  private final WriterEpoch by;
  final int writerEpoch;

  public EventLogWriter(SegmentContext segmentContext, OutputLog log, WriterEpoch by) {
    this.segmentContext = segmentContext;
    this.log = log;
    this.by = by;
    this.writerEpoch = by.number();
  }

  /** Advances the segment's seq and returns it. */
  long next() {
    return ++segmentContext.head.seq;
  }

  /**
   * Writes a decision of the policy, and its audit.
   *
   * @param isRecovered whether it repeats a decision that an earlier writer epoch had published
   */
  public void decided(
      ContextEvent event, Request request, AuditedChoice audited, boolean isRecovered) {
    CompiledSpec compiled = segmentContext.requireSpec();
    Choice choice = audited.choice();
    AuditedChoice.Sample sample = audited.sample();
    List<String> candidates = RecordFields.candidates(request, compiled);
    Decision decision =
        new Decision(
            event.decisionId(),
            new Place(segmentContext.segment, writerEpoch, next()),
            event.origin().source(),
            event.eventTime(),
            RecordFields.versions(segmentContext, compiled.fingerprint()),
            compiled.spec().policy().name().wire(),
            candidates.get(choice.arm()),
            choice.reason(),
            null,
            choice.certified(),
            choice.fairSetSize() < 0 ? null : choice.fairSetSize(),
            request.isSpecArms() ? List.of() : candidates,
            RecordFields.logged(PendingPropensities.of(choice)),
            RecordFields.estimate(choice),
            RecordFields.features(request.person(), compiled),
            request.isSpecArms() ? null : RecordFields.features(request.candidates()),
            sample == null ? null : new ExperimentSample(sample.phase(), sample.type()),
            by.keyGroups().applyAsInt(segmentContext.segment),
            isRecovered,
            null);
    log.write(decision);
    ViolationSums sums = segmentContext.head.audit.after(audited.findings());
    List<FairnessAudit> audits = new ArrayList<>(audited.findings().size());
    for (int place = 0; place < audited.findings().size(); place++) {
      audits.add(
          AuditRecords.of(
              decision, compiled, segmentContext.refutation(), candidates, audited, sums, place));
    }
    log.audits(audits);
  }

  /**
   * Writes a decision that no policy made: a rejection or an exceeded deadline.
   *
   * @param isRecovered whether it repeats the arm that an earlier writer epoch had published
   */
  public void answered(
      ContextEvent event,
      DecisionReason reason,
      @Nullable String arm,
      ErrorCode code,
      boolean isRecovered) {
    @Nullable CompiledSpec compiled = segmentContext.spec;
    if (arm != null) {
      segmentContext.head.positionOf(arm); // repeated contexts look it up by position
    }
    log.write(
        new Decision(
            event.decisionId(),
            new Place(segmentContext.segment, writerEpoch, next()),
            event.origin().source(),
            event.eventTime(),
            RecordFields.versions(segmentContext, compiled == null ? null : compiled.fingerprint()),
            compiled == null ? "" : compiled.spec().policy().name().wire(),
            arm,
            reason,
            code.name(),
            false,
            null,
            List.of(),
            Propensities.SURE,
            null,
            null,
            null,
            null,
            by.keyGroups().applyAsInt(segmentContext.segment),
            isRecovered,
            null));
  }

  /** Answers a repeated context, outside seq, with the arm first given. */
  public void repeated(ContextEvent event, @Nullable String arm) {
    log.write(RepeatedContext.decision(event, arm, by));
  }

  /** Starts the record of a change other than a decision. */
  public SegmentEventBuilder segmentEvent(SegmentEventType kind, long eventTime) {
    return new SegmentEventBuilder(segmentContext, writerEpoch, kind, eventTime);
  }

  /** Writes a change other than a decision, with the next seq. */
  public SegmentEvent write(SegmentEventBuilder draft) {
    SegmentEvent segmentEvent = draft.numbered(next());
    log.write(segmentEvent);
    return segmentEvent;
  }

  /**
   * Writes that a phase of an experiment was closed, with its record and, after the last phase, the
   * record of the end.
   */
  public void phaseClosed(SegmentEventBuilder draft, ClosedPhase end) {
    ExperimentRecords records = new ExperimentRecords(write(draft), segmentContext.requireSpec());
    log.write(records.of(end.phase()));
    TerminalAudit terminal = end.end();
    if (terminal != null) {
      log.write(records.of(terminal));
    }
  }

  /** Writes a change that ended an experiment without a result, with the record of the end. */
  public void aborted(SegmentEventBuilder draft, Abort abort) {
    log.write(ExperimentRecords.of(write(draft.abort(abort.reason())), abort));
  }

  /** Writes the dead letter of an input, with its original bytes. */
  public void deadLetter(Input input, InputFault fault) {
    log.write(DeadLetter.of(fault, input).by(writerEpoch, segmentContext.head.seq));
  }

  /** Writes the dead letter of an input whose rejection an earlier writer epoch had published. */
  public void recoveredDeadLetter(Input input, InputFault fault) {
    log.write(DeadLetter.of(fault, input).by(writerEpoch, segmentContext.head.seq, true));
  }

  /** Writes a snapshot of the segment's counts if anyone reads it. */
  public void metrics(long eventTime, MetricsTrigger trigger) {
    if (log.takesMetrics()) {
      log.write(MetricsRecords.of(segmentContext, writerEpoch, eventTime, trigger));
    }
    segmentContext.head.metricsSeq = segmentContext.head.seq;
  }
}
