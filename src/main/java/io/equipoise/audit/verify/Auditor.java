package io.equipoise.audit.verify;

import io.equipoise.audit.log.CannotJudgeException;
import io.equipoise.audit.log.CommittedLog;
import io.equipoise.join.disclosure.KeyRing;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SameVeil;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Judges all invariants of a committed log, one judge after the other, in one thread.
 *
 * <p>Where the log has markers of attempts, delivery was at-least-once: the surviving history is
 * judged like any other log, but an input that was refused may be refused or taken again by a later
 * attempt, and besides no decision may carry two arms.
 */
public final class Auditor {
  private final CommittedLog log;
  private final Texts texts;
  private final Question question;
  private final Beginning beginning;
  private final Revealer revealer;
  private final SameVeil veil;
  private final Docket docket = new Docket();

  /**
   * Prepares an audit.
   *
   * @param texts the specs and causal bounds that the log names
   */
  public Auditor(CommittedLog log, Texts texts, Question question) {
    this(log, texts, question, Beginning.NOTHING, KeyRing.none());
  }

  /**
   * Prepares an audit of a log whose beginning may be gone and that may hide sensitive values.
   *
   * @param log its inputs begin where the savepoint had read them
   * @param texts the specs and causal bounds that the log names
   * @param beginning the segments' states in the savepoint
   * @param keys what reveals what is hidden
   */
  public Auditor(
      CommittedLog log, Texts texts, Question question, Beginning beginning, KeyRing keys) {
    this.beginning = beginning;
    this.log = log;
    this.texts = texts;
    this.question = question;
    this.revealer = new Revealer(keys);
    this.veil = new SameVeil(keys, texts::spec);
  }

  /**
   * Judges and returns what was found of every invariant, in their order.
   *
   * @throws java.io.UncheckedIOException if the witness cannot be read
   * @throws io.equipoise.audit.log.CannotJudgeException if the log cannot be read, or memory does
   *     not suffice
   */
  public List<Finding> judge() {
    WriterEpochHistory history = WriterEpochHistory.read(log, question.memoryBytes());
    CommittedLog surviving =
        history.isPlain() ? log : new SurvivingLog(log, history, question.isFinal());
    boolean isFromSavepoint = beginning != Beginning.NOTHING;
    Horizons horizons = Horizons.of(texts.all());
    boolean mayLag = !history.isPlain() && !question.isFinal();
    new SegmentJudges(surviving, texts, beginning, docket, question, revealer, veil, mayLag)
        .judge();
    LetterOpener opener = new LetterOpener(revealer, docket);
    InputRecords inputs = new InputRecords(surviving);
    Backlog backlog = new Backlog(inputs);
    new InputFates(
            surviving,
            inputs,
            docket,
            question.memoryBytes(),
            question.isFinal(),
            history,
            opener,
            new AppliedRewards(surviving, inputs, texts, docket),
            backlog)
        .judge(horizons, isFromSavepoint && docket.isJudged(Invariant.I4));
    repeatedDecisions(history);
    new LetterReasons(log, inputs, texts, docket, question.memoryBytes(), revealer).judge();
    if (!history.isPlain()) {
      stableAnswers(history, horizons);
    }
    new ControlLetters(texts.refused(), docket, question.isFinal(), opener)
        .judge(surviving, KeptOutputs.lettersOf(surviving));
    new Recovery(docket, question.recovery()).judge(log, question.faults());
    new WitnessCheck(docket).judge(log, question.witness());
    backlog.tell(docket, question.overdue());
    return docket.findings();
  }

  private void repeatedDecisions(WriterEpochHistory history) {
    try {
      new RepeatedDecisions(docket, history, question.memoryBytes()).judge(log);
    } catch (Budget.ExceededException e) {
      throw new CannotJudgeException("too many decision ids were repeated; give more --memory");
    }
  }

  private void stableAnswers(WriterEpochHistory history, Horizons horizons) {
    try {
      new StableAnswers(docket, history, horizons.shortestMemory(), question.memoryBytes())
          .judge(log);
    } catch (Budget.ExceededException e) {
      throw new CannotJudgeException("too many answers were withdrawn; give more --memory");
    }
  }

  /** Returns the invariants that were not asked for, for want of what only the caller knows. */
  public Set<Invariant> unasked() {
    EnumSet<Invariant> unasked = EnumSet.noneOf(Invariant.class);
    if (question.mostIsolated() == 0) {
      unasked.add(Invariant.I5);
    }
    if (question.faults().isEmpty()) {
      unasked.add(Invariant.I8);
    }
    if (question.witness() == null) {
      unasked.add(Invariant.I9);
    }
    return unasked;
  }
}
