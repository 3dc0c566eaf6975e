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
 * Checks all invariants of a committed log, one after the other, in one thread.
 *
 * <p>A log with writer-epoch markers was written with at-least-once delivery. Its surviving history
 * is checked like any other log, except that a later writer epoch may reject or accept an input
 * again that an earlier one rejected. In addition, no decision may carry two arms.
 */
public final class Auditor {
  private final CommittedLog log;
  private final SpecCatalog specCatalog;
  private final VerifyOptions verifyOptions;
  private final StartState startState;
  private final Unredactor unredactor;
  private final ReferenceRedactor redactor;
  private final FindingsCollector findings = new FindingsCollector();

  /**
   * Prepares an audit of a complete log.
   *
   * @param specCatalog the specs and causal bounds that the log names
   */
  public Auditor(CommittedLog log, SpecCatalog specCatalog, VerifyOptions verifyOptions) {
    this(log, specCatalog, verifyOptions, StartState.NOTHING, KeyRing.none());
  }

  /**
   * Prepares an audit of a log whose beginning may be missing and whose sensitive values may be
   * redacted.
   *
   * @param log its inputs begin at the offsets of the savepoint
   * @param specCatalog the specs and causal bounds that the log names
   * @param startState the segments' states in the savepoint
   * @param keys the keys that open redacted values
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
    this.redactor = new ReferenceRedactor(keys, specCatalog::spec);
  }

  /**
   * Checks all invariants and returns one finding for each, in the order of {@link Invariant}.
   *
   * @throws java.io.UncheckedIOException if the witness file cannot be read
   * @throws io.equipoise.audit.log.InconclusiveException if the log cannot be read, or the memory
   *     limit is too small
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
            findings,
            verifyOptions,
            unredactor,
            redactor,
            mayLag)
        .check();
    DeadLetterOpener opener = new DeadLetterOpener(unredactor, findings);
    InputRecords inputs = new InputRecords(surviving);
    Backlog backlog = new Backlog(inputs);
    new InputDispositions(
            surviving,
            inputs,
            findings,
            verifyOptions.memoryBytes(),
            verifyOptions.isFinal(),
            history,
            opener,
            new AppliedRewards(surviving, inputs, specCatalog, findings),
            backlog)
        .check(horizons, isFromSavepoint);
    repeatedDecisions(history);
    new DeadLetterReasonCheck(
            log, inputs, specCatalog, findings, verifyOptions.memoryBytes(), unredactor)
        .check();
    if (!history.isPlain()) {
      stableAnswers(history, horizons);
    }
    new ControlDeadLetters(specCatalog.refused(), findings, verifyOptions.isFinal(), opener)
        .check(surviving, KeptOutputs.deadLettersOf(surviving));
    new RecoveredAnswers(findings, verifyOptions.recovery()).check(log, verifyOptions.faults());
    new WitnessCheck(findings).check(log, verifyOptions.witness());
    backlog.report(findings, verifyOptions.overdue());
    return findings.findings();
  }

  private void repeatedDecisions(WriterEpochHistory history) {
    try {
      new RepeatedDecisions(findings, history, verifyOptions.memoryBytes()).check(log);
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException("too many decision ids were repeated; give more --memory");
    }
  }

  private void stableAnswers(WriterEpochHistory history, Horizons horizons) {
    try {
      new StableAnswers(
              findings,
              history,
              horizons.shortestMemory(),
              verifyOptions.memoryBytes(),
              hash -> specCatalog.spec(hash) != null)
          .check(log);
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException("too many decisions were withdrawn; give more --memory");
    }
  }

  /** Returns the invariants that need a command-line option that was not given. */
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
