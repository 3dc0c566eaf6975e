package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.Refutation;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.Why;
import io.equipoise.bandit.csr.PhaseEnd;
import io.equipoise.bandit.csr.TerminalRecord;
import io.equipoise.bandit.features.Profile;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Input;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.PropensityKind;
import io.equipoise.fairness.ViolationSums;
import io.equipoise.join.ExperimentRecords.Abort;
import io.equipoise.spec.SegmentSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a segment's records and numbers them: every change of state takes the next {@code seq},
 * gapless over decisions and outcomes together; audit records carry their decision's.
 */
final class Journal {
  /** Shard of every segment until a hot one can be split. */
  static final int SHARD = 0;

  /** Most propensities are one of these two: one object for all of them. */
  private static final Double ZERO = 0.0;

  private static final Double ONE = 1.0;

  private static final double[] NO_NUMBERS = {};

  private static final SameName<io.equipoise.bandit.PropensityKind, PropensityKind>
      PROPENSITY_KINDS =
          new SameName<>(io.equipoise.bandit.PropensityKind.class, PropensityKind.class);
  private static final SameName<Why, DecisionWhy> WHYS =
      new SameName<>(Why.class, DecisionWhy.class);

  private final Turn turn;
  private final OutputLog log;
  private final Attempt by;
  final int attempt;

  Journal(Turn turn, OutputLog log, Attempt by) {
    this.turn = turn;
    this.log = log;
    this.by = by;
    this.attempt = by.number();
  }

  /** Takes the next seq. */
  long next() {
    return ++turn.head.seq;
  }

  /**
   * Writes a decision that the bandit took, and its audit.
   *
   * @param isRecovered whether it repeats an answer that an earlier attempt had written
   */
  void decided(ContextEvent event, Request request, AuditedChoice audited, boolean isRecovered) {
    CompiledSpec compiled = turn.requireSpec();
    SegmentSpec spec = compiled.spec();
    Choice choice = audited.choice();
    AuditedChoice.Sample sample = audited.sample();
    List<String> candidates = candidates(request, compiled);
    long seq = next();
    log.decision(
        new Decision(
            event.decisionId(),
            turn.segment,
            SHARD,
            attempt,
            seq,
            candidates.get(choice.arm()),
            candidates,
            boxed(choice.propensities()),
            kind(choice),
            known(choice.index()),
            known(choice.mean()),
            known(choice.width()),
            spec.policy().name().wire(),
            spec.hash(),
            spec.number(),
            turn.head.priorHash,
            turn.priorNumber(),
            compiled.bandit().fingerprint(),
            event.eventTime(),
            event.origin().topic(),
            event.origin().partition(),
            event.origin().offset(),
            features(request.person(), compiled),
            request.isCatalogue() ? null : features(request.offers()),
            WHYS.of(choice.why()),
            choice.certified(),
            choice.fairSetSize() < 0 ? null : choice.fairSetSize(),
            null,
            sample == null ? null : sample.phase(),
            sample == null ? null : sample.type(),
            by.keyGroups().applyAsInt(turn.segment),
            isRecovered,
            null,
            choice.draws() == 0 ? null : choice.draws()));
    ViolationSums sums = turn.head.audit.after(audited.findings());
    List<FairnessAudit> audits = new ArrayList<>(audited.findings().size());
    for (int place = 0; place < audited.findings().size(); place++) {
      audits.add(AuditRecords.of(turn, attempt, event, seq, candidates, audited, sums, place));
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
      DecisionWhy why,
      @Nullable String arm,
      ErrorCode code,
      boolean isRecovered) {
    @Nullable CompiledSpec compiled = turn.spec;
    log.decision(
        new Decision(
            event.decisionId(),
            turn.segment,
            SHARD,
            attempt,
            next(),
            arm,
            arm == null ? List.of() : List.of(arm),
            arm == null ? List.of() : List.of(1.0),
            PropensityKind.DETERMINISTIC,
            null,
            null,
            null,
            compiled == null ? "" : compiled.spec().policy().name().wire(),
            compiled == null ? null : compiled.spec().hash(),
            compiled == null ? null : compiled.spec().number(),
            turn.head.priorHash,
            turn.priorNumber(),
            compiled == null ? null : compiled.bandit().fingerprint(),
            event.eventTime(),
            event.origin().topic(),
            event.origin().partition(),
            event.origin().offset(),
            null,
            null,
            why,
            false,
            null,
            code.name(),
            null,
            null,
            by.keyGroups().applyAsInt(turn.segment),
            isRecovered,
            null,
            null));
  }

  /** Starts the record of a change other than a decision. */
  OutcomeDraft outcome(OutcomeKind kind, long eventTime) {
    return new OutcomeDraft(turn, attempt, kind, eventTime);
  }

  /**
   * Writes a change other than a decision, with the next seq, and which prior bounds it refuted.
   */
  Outcome write(OutcomeDraft draft) {
    Outcome outcome = draft.numbered(next());
    log.outcome(outcome);
    for (Refutation refuted : turn.refuted) {
      log.audit(AuditRecords.of(turn, outcome, refuted));
    }
    turn.refuted.clear();
    return outcome;
  }

  /** Writes that a phase of an experiment was closed, its audit, and that of the end if it is. */
  void phaseClosed(OutcomeDraft draft, PhaseEnd end) {
    ExperimentRecords records = new ExperimentRecords(turn, write(draft));
    log.audit(records.of(end.phase()));
    TerminalRecord terminal = end.end();
    if (terminal != null) {
      log.audit(records.of(terminal));
    }
  }

  /** Writes a change that ended an experiment without an answer, and that end's audit. */
  void aborted(OutcomeDraft draft, Abort abort) {
    log.audit(ExperimentRecords.of(turn, write(draft), abort));
  }

  /** Writes an input that could not be used, with its original bytes. */
  void deadLetter(Input input, ErrorCode code, String message) {
    log.deadLetter(DeadLetter.of(code, message, input).by(attempt, turn.head.seq));
  }

  /** Writes a snapshot of the segment's counts. */
  void metrics(long eventTime, MetricsTrigger trigger) {
    log.metrics(MetricsSnapshot.of(turn, attempt, eventTime, trigger));
    turn.head.metricsSeq = turn.head.seq;
  }

  /** Returns the ids of the arms that a request is about, in its order. */
  static List<String> candidates(Request request, CompiledSpec compiled) {
    return request.isCatalogue()
        ? compiled.armIds()
        : request.offers().stream().map(Offer::id).toList();
  }

  /** Returns levels and, where the policy reads them, the values of numeric variables. */
  static List<Double> features(Profile person, CompiledSpec compiled) {
    return all(person.levels(), compiled.bandit().takesOffers() ? person.numbers() : NO_NUMBERS);
  }

  static List<List<Double>> features(List<Offer> offers) {
    return offers.stream().map(Offer::arm).map(arm -> all(arm.levels(), arm.numbers())).toList();
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
