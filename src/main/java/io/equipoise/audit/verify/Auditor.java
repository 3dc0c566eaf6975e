package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Judges all invariants of a committed log, one judge after the other, in one thread. */
public final class Auditor {
  private final CommittedLog log;
  private final Texts texts;
  private final Question question;
  private final Beginning beginning;
  private final Docket docket = new Docket();

  /**
   * Prepares an audit.
   *
   * @param texts the specs and prior bounds that the log names
   */
  public Auditor(CommittedLog log, Texts texts, Question question) {
    this(log, texts, question, Beginning.NOTHING);
  }

  /**
   * Prepares an audit of a log whose beginning may be gone.
   *
   * @param log its inputs begin where the savepoint had read them
   * @param beginning the segments' states in the savepoint
   */
  public Auditor(CommittedLog log, Texts texts, Question question, Beginning beginning) {
    this.beginning = beginning;
    this.log = log;
    this.texts = texts;
    this.question = question;
  }

  /**
   * Judges and returns what was found of every invariant, in their order.
   *
   * @throws java.io.UncheckedIOException if the witness cannot be read
   * @throws io.equipoise.audit.log.CannotJudgeException if the log cannot be read, or memory does
   *     not suffice
   */
  public List<Finding> judge() {
    boolean isFromSavepoint = beginning != Beginning.NOTHING;
    new SegmentJudges(log, texts, beginning, docket, question).judge();
    InputRecords inputs = new InputRecords(log, question.maxRecordBytes());
    new InputFates(log, inputs, docket, question.memoryBytes(), question.isFinal())
        .judge(
            Horizons.of(texts.all()), isFromSavepoint && docket.isJudged(Invariant.I4));
    new ControlLetters(texts.refused(), docket, question.isFinal())
        .judge(log, KeptOutputs.lettersOf(log));
    new Recovery(docket, question.recovery()).judge(log, question.faults());
    new WitnessCheck(docket).judge(log, question.witness());
    return docket.findings();
  }

  /** Returns the invariants that were not asked for, for want of what only the caller knows. */
  public Set<Invariant> unasked() {
    EnumSet<Invariant> unasked = EnumSet.noneOf(Invariant.class);
    if (question.faults().isEmpty()) {
      unasked.add(Invariant.I8);
    }
    if (question.witness() == null) {
      unasked.add(Invariant.I9);
    }
    return unasked;
  }
}
