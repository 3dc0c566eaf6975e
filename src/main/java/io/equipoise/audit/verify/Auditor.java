package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.ReferenceRedactor;
import io.equipoise.privacy.Unredactor;
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
  private final SpecCatalog specCatalog;
  private final VerifyOptions verifyOptions;
  private final StartState startState;
  private final Unredactor unredactor;
  private final ReferenceRedactor veil;
  private final FindingsCollector findingsCollector = new FindingsCollector();

  /**
   * Prepares an audit.
   *
   * @param specCatalog the specs and causal bounds that the log names
   */
  public Auditor(CommittedLog log, SpecCatalog specCatalog, VerifyOptions verifyOptions) {
    this(log, specCatalog, verifyOptions, StartState.NOTHING, KeyRing.none());
  }

  /**
   * Prepares an audit of a log whose beginning may be gone and that may hide sensitive values.
   *
   * @param log its inputs begin where the savepoint had read them
   * @param specCatalog the specs and causal bounds that the log names
   * @param startState the segments' states in the savepoint
   * @param keys what reveals what is hidden
   */
  public Auditor(
      CommittedLog log,
      SpecCatalog specCatalog,
      VerifyOptions verifyOptions,
      StartState startState,
      KeyRing keys) {
    this.startState = startState;
    this.log = log;
    this.specCatalog = specCatalog;
    this.verifyOptions = verifyOptions;
    this.unredactor = new Unredactor(keys);
    this.veil = new ReferenceRedactor(keys, specCatalog::spec);
  }

  /**
   * Judges and returns what was found of every invariant, in their order.
   *
   * @throws java.io.UncheckedIOException if the witness cannot be read
   * @throws io.equipoise.audit.log.InconclusiveException if the log cannot be read, or memory does
   *     not suffice
   */
  public List<Finding> check() {
    WriterEpochHistory history = WriterEpochHistory.read(log, verifyOptions.memoryBytes());
    CommittedLog surviving =
        history.isPlain() ? log : new SurvivingLog(log, history, verifyOptions.isFinal());
    boolean isFromSavepoint = startState != StartState.NOTHING;
    Horizons horizons = Horizons.of(specCatalog.all());
    boolean mayLag = !history.isPlain() && !verifyOptions.isFinal();
    new SegmentChecks(
            surviving,
            specCatalog,
            startState,
            findingsCollector,
            verifyOptions,
            unredactor,
            veil,
            mayLag)
        .check();
    DeadLetterOpener opener = new DeadLetterOpener(unredactor, findingsCollector);
    InputRecords inputs = new InputRecords(surviving);
    Backlog backlog = new Backlog(inputs);
    new InputDispositions(
            surviving,
            inputs,
            findingsCollector,
            verifyOptions.memoryBytes(),
            verifyOptions.isFinal(),
            history,
            opener,
            new AppliedRewards(surviving, inputs, specCatalog, findingsCollector),
            backlog)
        .check(horizons, isFromSavepoint && findingsCollector.isChecked(Invariant.I4));
    repeatedDecisions(history);
    new DeadLetterReasonCheck(
            log, inputs, specCatalog, findingsCollector, verifyOptions.memoryBytes(), unredactor)
        .check();
    if (!history.isPlain()) {
      stableAnswers(history, horizons);
    }
    new ControlDeadLetters(
            specCatalog.refused(), findingsCollector, verifyOptions.isFinal(), opener)
        .check(surviving, KeptOutputs.deadLettersOf(surviving));
    new RecoveredAnswers(findingsCollector, verifyOptions.recovery())
        .check(log, verifyOptions.faults());
    new WitnessCheck(findingsCollector).check(log, verifyOptions.witness());
    backlog.tell(findingsCollector, verifyOptions.overdue());
    return findingsCollector.findings();
  }

  private void repeatedDecisions(WriterEpochHistory history) {
    try {
      new RepeatedDecisions(findingsCollector, history, verifyOptions.memoryBytes()).check(log);
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException("too many decision ids were repeated; give more --memory");
    }
  }

  private void stableAnswers(WriterEpochHistory history, Horizons horizons) {
    try {
      new StableAnswers(
              findingsCollector, history, horizons.shortestMemory(), verifyOptions.memoryBytes())
          .check(log);
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException("too many answers were withdrawn; give more --memory");
    }
  }

  /** Returns the invariants that were not asked for, for want of what only the caller knows. */
  public Set<Invariant> unasked() {
    EnumSet<Invariant> unasked = EnumSet.noneOf(Invariant.class);
    if (verifyOptions.mostIsolated() == 0) {
      unasked.add(Invariant.I5);
    }
    if (verifyOptions.faults().isEmpty()) {
      unasked.add(Invariant.I8);
    }
    if (verifyOptions.witness() == null) {
      unasked.add(Invariant.I9);
    }
    return unasked;
  }
}
