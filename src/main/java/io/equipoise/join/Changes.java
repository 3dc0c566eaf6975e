package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.ClippedIndex;
import io.equipoise.bandit.Refutation;
import io.equipoise.bandit.Why;
import io.equipoise.event.IdHash;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.AuditSums;
import io.equipoise.join.Ledgers.Account;
import io.equipoise.spec.OnChange;
import io.equipoise.spec.PriorsSpec;
import io.equipoise.spec.Refuted;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecVariable;
import io.equipoise.spec.Variables;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The changes of learning state that the log records. The machine makes them as events come, the
 * oracle repeats them as it reads the log; both through these methods, so that they cannot differ.
 */
final class Changes {
  private static final BitSet KEEP_ALL = new BitSet();
  private static final double[] NO_INPUTS = {};

  private final Turn turn;
  private final SegmentHead head;

  Changes(Turn turn) {
    this.turn = turn;
    this.head = turn.head;
  }

  /** Returns whether a spec may take over without starting the model anew. */
  boolean keepsModel(CompiledSpec spec) {
    return head.fingerprint == null || head.fingerprint.equals(spec.bandit().fingerprint());
  }

  /** Returns whether a spec may take over at all. */
  boolean mayAdopt(CompiledSpec spec) {
    return keepsModel(spec) || spec.spec().onChange() == OnChange.RESET;
  }

  /**
   * Puts a segment under a spec; starts its model anew where the statistics would change their
   * meaning.
   *
   * @return the parts of the state that were started anew
   */
  List<String> adopt(CompiledSpec spec) {
    List<String> reset = new ArrayList<>();
    if (!keepsModel(spec)) {
      turn.state.clearBlocks();
      head.epoch++;
      head.rounds = 0;
      reset.add("model");
      reset.add("audit");
    }
    if (head.fingerprint == null || !reset.isEmpty()) {
      head.audit = new AuditSums(sensitiveLevels(spec));
    }
    head.fingerprint = spec.bandit().fingerprint();
    head.specHash = spec.spec().hash();
    head.refusedHash = null;
    turn.spec = spec;
    keepPriors(spec, reset);
    return reset;
  }

  /** Goes on with the prior bounds where the spec can use them too. */
  private void keepPriors(CompiledSpec spec, List<String> reset) {
    head.refusedPriors = null;
    if (head.priorHash == null) {
      return;
    }
    turn.priors = turn.judge.usable(head.priorHash, spec);
    if (turn.priors == null) {
      dropPriors();
      reset.add("priors");
    } else if (reset.contains("model")) {
      head.refutedPriors.clear();
    }
  }

  /** Clips into these bounds from now on. */
  void adopt(JudgedPriors.Usable priors) {
    head.priorHash = priors.set().hash();
    head.priorNumber = priors.set().number();
    head.refutedPriors.clear();
    turn.priors = priors;
  }

  /** Clips no more. */
  void dropPriors() {
    head.priorHash = null;
    head.priorNumber = 0;
    head.refutedPriors.clear();
    turn.priors = null;
  }

  private ClippedIndex clip() {
    SegmentSpec spec = turn.requireSpec().spec();
    PriorsSpec rule = spec.policy().priors();
    if (turn.priors == null || rule == null) {
      return ClippedIndex.NONE;
    }
    boolean ignores = rule.refuted() == Refuted.IGNORE;
    return ClippedIndex.into(
        turn.priors.table(), ignores ? head.refutedPriors : KEEP_ALL, spec.reward().range());
  }

  /** Asks the bandit; changes nothing. */
  Choice choose(String decisionId, int[] context) {
    return turn.requireSpec()
        .bandit()
        .choose(turn.state.blocks(), context, head.rounds + 1, turn.draw(decisionId), clip());
  }

  /** Asks the bandit, and the auditor about its choice; changes nothing. */
  AuditedChoice chooseAndAudit(String decisionId, int[] context) {
    return turn.requireSpec()
        .bandit()
        .chooseAndAudit(
            turn.state.blocks(), context, head.rounds + 1, turn.draw(decisionId), clip());
  }

  /** Asks the auditor; changes nothing. */
  List<AuditFinding> audit(int[] context, int arm) {
    return turn.requireSpec().bandit().audit(turn.state.blocks(), context, arm, head.rounds + 1);
  }

  /** Books a decision; its seq is the one just written. */
  Entry.Awaiting decided(
      IdHash id,
      long contextTime,
      long contextDigest,
      int[] context,
      Choice choice,
      List<AuditFinding> findings) {
    CompiledSpec spec = turn.requireSpec();
    int position = head.positionOf(spec.spec().arms().list().get(choice.arm()).id());
    head.armDecisions.set(position, head.armDecisions.get(position) + 1);
    head.rounds++;
    head.audit.decided(findings, choice.certified(), choice.why() == Why.FALLBACK);
    Entry.Awaiting decision =
        new Entry.Awaiting(
            contextTime + spec.windowMillis(),
            0,
            contextDigest,
            contextTime,
            head.seq,
            position,
            head.epoch,
            choice.propensities()[choice.arm()],
            context,
            NO_INPUTS,
            List.of(),
            null);
    head.ledgers.add(Account.CONTEXT_DECIDED);
    head.ledgers.add(Account.DECISION_AWAITING);
    PendingDigest.add(head, id, decision);
    return decision;
  }

  /** Adds a reward to a decision's aggregate. */
  Entry.Awaiting collected(
      IdHash id,
      Entry.Awaiting decision,
      int shown,
      Entry.Seen seen,
      double reward,
      long time,
      int[] mediators) {
    Collected before = decision.collected();
    Collected after =
        before == null
            ? Collected.first(reward, time, mediators)
            : before.plus(reward, time, mediators);
    Entry.Awaiting grown = decision.with(seen, after, shown);
    PendingDigest.remove(head, id, decision);
    PendingDigest.add(head, id, grown);
    return grown;
  }

  /** Teaches the model what an arm brought, and notes which prior bounds that refutes. */
  void learn(int[] context, int arm, int[] mediators, double reward) {
    CompiledSpec spec = turn.requireSpec();
    spec.bandit().learn(turn.state.blocks(), context, arm, mediators, reward);
    head.audit.rewarded(spec.sensitive(context), reward);
    if (turn.priors != null) {
      for (Refutation found :
          spec.bandit()
              .refuted(
                  turn.state.blocks(),
                  context,
                  head.rounds,
                  turn.priors.table(),
                  head.refutedPriors)) {
        head.refutedPriors.set(found.row());
        turn.refuted.add(found);
      }
    }
  }

  /** Books that a decision awaits nothing any more. */
  void close(IdHash id, Entry.Awaiting decision, Account account) {
    PendingDigest.remove(head, id, decision);
    head.ledgers.move(Account.DECISION_AWAITING, account);
  }

  private static int[] sensitiveLevels(CompiledSpec spec) {
    Variables variables = spec.spec().variables();
    return variables.sensitive().stream()
        .mapToInt(position -> groups(variables.features().get(position)))
        .toArray();
  }

  /** The levels that can be disclosed, and one group of those who did not. */
  private static int groups(SpecVariable variable) {
    return Math.max(variable.levels().size(), variable.undisclosed() + 1);
  }
}
