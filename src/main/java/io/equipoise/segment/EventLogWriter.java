package io.equipoise.segment;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.TerminalAudit;
import io.equipoise.fairness.ViolationSums;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ChoiceReason;
import io.equipoise.policy.PhasedPolicy.ClosedPhase;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.ExperimentRecords.Abort;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a segment's records and numbers them: every change of state takes the next {@code seq},
 * gapless over decisions and segment events together; audit records carry their decision's.
 */
final class EventLogWriter {
  /** Shard of every segment until a hot one can be split. */
  static final int SHARD = 0;

  /** Most propensities are one of these two: one object for all of them. */
  private static final Double ZERO = 0.0;

  private static final Double ONE = 1.0;

  private static final double[] NO_NUMBERS = {};

  private static final SameName<io.equipoise.policy.PropensityKind, PropensityKind>
      PROPENSITY_KINDS =
          new SameName<>(io.equipoise.policy.PropensityKind.class, PropensityKind.class);
  private static final SameName<ChoiceReason, DecisionReason> REASONS =
      new SameName<>(ChoiceReason.class, DecisionReason.class);

  private final SegmentContext segmentContext;
  private final OutputLog log;
  private final WriterEpoch by;
  final int writerEpoch;

  EventLogWriter(SegmentContext segmentContext, OutputLog log, WriterEpoch by) {
    this.segmentContext = segmentContext;
    this.log = log;
    this.by = by;
    this.writerEpoch = by.number();
  }

  /** Takes the next seq. */
  long next() {
    return ++segmentContext.head.seq;
  }

  /**
   * Writes a decision that the bandit took, and its audit.
   *
   * @param isRecovered whether it repeats an answer that an earlier attempt had written
   */
  void decided(ContextEvent event, Request request, AuditedChoice audited, boolean isRecovered) {
    CompiledSpec compiled = segmentContext.requireSpec();
    SegmentSpec spec = compiled.spec();
    Choice choice = audited.choice();
    AuditedChoice.Sample sample = audited.sample();
    List<String> candidates = candidates(request, compiled);
    Propensities propensities = Propensities.of(choice, kind(choice));
    long seq = next();
    log.decision(
        new Decision(
            event.decisionId(),
            segmentContext.segment,
            writerEpoch,
            seq,
            candidates.get(choice.arm()),
            request.isSpecArms() ? List.of() : candidates,
            boxed(propensities.values()),
            boxed(propensities.runs()),
            propensities.kind(),
            known(choice.index()),
            known(choice.mean()),
            known(choice.width()),
            spec.policy().name().wire(),
            spec.hash(),
            spec.version(),
            segmentContext.head.boundsHash,
            segmentContext.boundsVersion(),
            compiled.fingerprint(),
            event.eventTime(),
            event.origin().topic(),
            event.origin().partition(),
            event.origin().offset(),
            features(request.person(), compiled),
            request.isSpecArms() ? null : features(request.offers()),
            REASONS.of(choice.reason()),
            choice.certified(),
            choice.fairSetSize() < 0 ? null : choice.fairSetSize(),
            null,
            sample == null ? null : sample.phase(),
            sample == null ? null : sample.type(),
            by.keyGroups().applyAsInt(segmentContext.segment),
            isRecovered,
            null,
            choice.draws() == 0 ? null : choice.draws()));
    ViolationSums sums = segmentContext.head.audit.after(audited.findings());
    List<FairnessAudit> audits = new ArrayList<>(audited.findings().size());
    for (int place = 0; place < audited.findings().size(); place++) {
      audits.add(
          AuditRecords.of(
              segmentContext, writerEpoch, event, seq, candidates, audited, sums, place));
    }
    log.audits(audits);
  }

  /** Returns how the propensities of a choice are known. */
  static PropensityKind kind(Choice choice) {
    return PROPENSITY_KINDS.of(choice.propensityKind());
  }

  /** Returns a number of a choice, or null where the policy has none. */
  static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  /**
   * Writes an answer that the bandit had no part in.
   *
   * @param isRecovered whether it repeats the arm that an earlier attempt had written
   */
  void answered(
      ContextEvent event,
      DecisionReason reason,
      @Nullable String arm,
      ErrorCode code,
      boolean isRecovered) {
    @Nullable CompiledSpec compiled = segmentContext.spec;
    if (arm != null) {
      segmentContext.head.positionOf(arm); // a repeated context gets it by its position
    }
    log.decision(
        new Decision(
            event.decisionId(),
            segmentContext.segment,
            writerEpoch,
            next(),
            arm,
            List.of(),
            List.of(),
            List.of(),
            PropensityKind.DETERMINISTIC,
            null,
            null,
            null,
            compiled == null ? "" : compiled.spec().policy().name().wire(),
            compiled == null ? null : compiled.spec().hash(),
            compiled == null ? null : compiled.spec().version(),
            segmentContext.head.boundsHash,
            segmentContext.boundsVersion(),
            compiled == null ? null : compiled.fingerprint(),
            event.eventTime(),
            event.origin().topic(),
            event.origin().partition(),
            event.origin().offset(),
            null,
            null,
            reason,
            false,
            null,
            code.name(),
            null,
            null,
            by.keyGroups().applyAsInt(segmentContext.segment),
            isRecovered,
            null,
            null));
  }

  /** Answers a repeated context, outside seq, with the arm first given. */
  void repeated(ContextEvent event, @Nullable String arm) {
    log.decision(RepeatedContext.decision(event, arm, by));
  }

  /** Starts the record of a change other than a decision. */
  SegmentEventBuilder segmentEvent(SegmentEventType kind, long eventTime) {
    return new SegmentEventBuilder(segmentContext, writerEpoch, kind, eventTime);
  }

  /** Writes a change other than a decision, with the next seq. */
  SegmentEvent write(SegmentEventBuilder draft) {
    SegmentEvent segmentEvent = draft.numbered(next());
    log.segmentEvent(segmentEvent);
    return segmentEvent;
  }

  /** Writes that a phase of an experiment was closed, with its record, and the end if it is one. */
  void phaseClosed(SegmentEventBuilder draft, ClosedPhase end) {
    ExperimentRecords records = new ExperimentRecords(segmentContext, write(draft));
    log.experiment(records.of(end.phase()));
    TerminalAudit terminal = end.end();
    if (terminal != null) {
      log.experiment(records.of(terminal));
    }
  }

  /** Writes a change that ended an experiment without an answer, with the record of the end. */
  void aborted(SegmentEventBuilder draft, Abort abort) {
    log.experiment(ExperimentRecords.of(segmentContext, write(draft.abort(abort.reason())), abort));
  }

  /** Writes an input that could not be used, with its original bytes. */
  void deadLetter(Input input, InputFault fault) {
    log.deadLetter(DeadLetter.of(fault, input).by(writerEpoch, segmentContext.head.seq));
  }

  /** Writes an input whose refusal an earlier attempt had published. */
  void recoveredDeadLetter(Input input, InputFault fault) {
    log.deadLetter(DeadLetter.of(fault, input).by(writerEpoch, segmentContext.head.seq, true));
  }

  /** Writes a snapshot of the segment's counts. */
  void metrics(long eventTime, MetricsTrigger trigger) {
    log.metrics(MetricsRecords.of(segmentContext, writerEpoch, eventTime, trigger));
    segmentContext.head.metricsSeq = segmentContext.head.seq;
  }

  /** Returns the ids of the arms that a request is about, in its order. */
  static List<String> candidates(Request request, CompiledSpec compiled) {
    return request.isSpecArms()
        ? compiled.armIds()
        : request.offers().stream().map(Candidate::id).toList();
  }

  /** Returns levels and, where the policy reads them, the values of numeric variables. */
  static List<Double> features(Profile person, CompiledSpec compiled) {
    return all(person.levels(), compiled.bandit().takesOffers() ? person.numbers() : NO_NUMBERS);
  }

  static List<List<Double>> features(List<Candidate> offers) {
    return offers.stream()
        .map(Candidate::arm)
        .map(arm -> all(arm.levels(), arm.numbers()))
        .toList();
  }

  /** Returns the levels of a context as the log has them. */
  static List<Double> levels(int[] context) {
    return all(context, NO_NUMBERS);
  }

  private static List<Double> all(int[] levels, double[] numbers) {
    Double[] all = new Double[levels.length + numbers.length];
    for (int i = 0; i < levels.length; i++) {
      all[i] = (double) levels[i];
    }
    for (int i = 0; i < numbers.length; i++) {
      all[levels.length + i] = numbers[i];
    }
    return List.of(all);
  }

  /** Returns runs of propensities as the log has them. */
  static List<Integer> boxed(int[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  /** Returns propensities as the log has them. */
  static List<Double> boxed(double[] values) {
    Double[] boxed = new Double[values.length];
    for (int i = 0; i < boxed.length; i++) {
      double value = values[i];
      boxed[i] = value == 1 ? ONE : Double.doubleToRawLongBits(value) == 0 ? ZERO : (Double) value;
    }
    return List.of(boxed);
  }
}
