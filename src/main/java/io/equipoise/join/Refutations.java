package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.refutation.RefutedAssumption;
import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.AssumptionKind;
import io.equipoise.event.OutcomeKind;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.Verdict;
import java.util.List;

/**
 * What follows when the rewards refute an assumption of the spec: a logged change of its own for
 * each, right behind the reward, and verdicts that guarantee nothing any more.
 *
 * <p>Every verdict of the segment depends on every assumption that is tested: effects are computed
 * from the same cells and tables.
 */
final class Refutations {
  private static final SameName<io.equipoise.bandit.refutation.AssumptionKind, AssumptionKind>
      KINDS =
          new SameName<>(io.equipoise.bandit.refutation.AssumptionKind.class, AssumptionKind.class);

  private final Turn turn;

  Refutations(Turn turn) {
    this.turn = turn;
  }

  /** Writes what the rewards of this turn have refuted. */
  void write(long eventTime) {
    boolean isWritten = turn.hasRefuted;
    while (isWritten) {
      isWritten = writeNext(eventTime);
    }
    turn.hasRefuted = false;
  }

  /** Writes the next refutation that is not in the log, and says whether there was one. */
  boolean writeNext(long eventTime) {
    RefutedAssumption refuted =
        turn.spec == null ? null : turn.spec.assumptions().next(turn.state.blocks());
    if (refuted == null) {
      return false;
    }
    turn.forgetRefutation();
    turn.journal.write(
        turn.journal
            .outcome(OutcomeKind.ASSUMPTION_REFUTED, eventTime)
            .assumption(
                new AssumptionAudit(
                    KINDS.of(refuted.kind()),
                    refuted.name(),
                    refuted.cell(),
                    refuted.logEvalue(),
                    refuted.logThreshold(),
                    refuted.observations(),
                    refuted.remedy())));
    return true;
  }

  /** Returns what was chosen with verdicts that guarantee nothing. */
  static AuditedChoice withheld(AuditedChoice audited) {
    List<AuditFinding> findings = withheld(audited.findings());
    List<AuditFinding> left = audited.left();
    Choice choice = audited.choice();
    return new AuditedChoice(
        choice.certified() ? choice.certifiedBy(findings) : choice,
        findings,
        audited.duals(),
        audited.sample(),
        left == null ? null : withheld(left));
  }

  private static List<AuditFinding> withheld(List<AuditFinding> findings) {
    return findings.stream().map(Refutations::withheld).toList();
  }

  private static AuditFinding withheld(AuditFinding found) {
    boolean isGuaranteed =
        found.verdict() == Verdict.CERTIFIED_FAIR || found.verdict() == Verdict.UNFAIR;
    return isGuaranteed
        ? new AuditFinding(found.effect(), found.tau(), Verdict.UNCERTAIN, found.guarantee())
        : found;
  }
}
