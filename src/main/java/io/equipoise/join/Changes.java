package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Bandit;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.ChoiceReason;
import io.equipoise.bandit.ClippedIndex;
import io.equipoise.bandit.Experience;
import io.equipoise.bandit.Refutation;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.bandit.csr.CsrBandit;
import io.equipoise.bandit.csr.ExperimentBlock;
import io.equipoise.bandit.csr.PhaseEnd;
import io.equipoise.bandit.features.Profile;
import io.equipoise.event.Account;
import io.equipoise.event.AuditRefuted;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.spec.CausalBoundsSpec;
import io.equipoise.spec.OnRefutation;
import io.equipoise.spec.SegmentSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of learning state that the log records. The machine makes them as events come, the
 * oracle repeats them as it reads the log; both through these methods, so that they cannot differ.
 */
final class Changes {
  private static final BitSet KEEP_ALL = new BitSet();
  private static final Profile NOTHING = Profile.of();

  private final Turn turn;
  private final SegmentHead head;
  private final Meanings meanings;

  Changes(Turn turn) {
    this.turn = turn;
    this.head = turn.head;
    this.meanings = new Meanings(turn);
  }

  /** Returns what reads arms and levels of earlier specs. */
  Meanings meanings() {
    return meanings;
  }

  /** Clips into these bounds from now on. */
  void adopt(ValidatedBounds.Usable causalBounds) {
    head.boundsHash = causalBounds.set().hash();
    head.boundsVersion = causalBounds.set().version();
    head.refutedBounds.clear();
    turn.causalBounds = causalBounds;
  }

  /** Clips no more. */
  void dropBounds() {
    head.boundsHash = null;
    head.boundsVersion = 0;
    head.refutedBounds.clear();
    turn.causalBounds = null;
  }

  /** Returns the progress of the segment's experiment if it has begun and goes on. */
  @Nullable ExperimentBlock running() {
    return turn.state.blocks().get(CsrBandit.PROGRESS) instanceof ExperimentBlock progress
            && progress.isRunning()
        ? progress
        : null;
  }

  /** Ends the experiment without an answer; samples that are awaited are not learned any more. */
  void abort(ExperimentBlock running) {
    running.abort();
    turn.state.blocks().put(CsrBandit.PROGRESS, running);
    head.levelVersion++;
  }

  /** Closes the open phase of the segment's experiment, or returns null if it goes on. */
  @Nullable PhaseEnd closePhase() {
    CsrBandit experiment = turn.requireSpec().experiment();
    return experiment != null && experiment.isPhaseDone(turn.state.blocks())
        ? experiment.close(turn.state.blocks())
        : null;
  }

  private ClippedIndex clip() {
    SegmentSpec spec = turn.requireSpec().spec();
    CausalBoundsSpec rule = spec.policy().causalBounds();
    if (turn.causalBounds == null || rule == null) {
      return ClippedIndex.NONE;
    }
    boolean ignores = rule.refuted() == OnRefutation.IGNORE;
    return ClippedIndex.into(
        turn.causalBounds.table(), ignores ? head.refutedBounds : KEEP_ALL, spec.reward().range());
  }

  /** Returns a request for the arms of the spec, or for those that it brings. */
  Request request(Profile person, @Nullable List<Offer> own) {
    CompiledSpec spec = turn.requireSpec();
    List<Offer> offers = own == null ? spec.specArms() : own;
    List<Offer> placed = spec.bandit().takesOffers() ? known(offers) : offers;
    return new Request(person, placed, own == null, head.arms.size());
  }

  private List<Offer> known(List<Offer> offers) {
    List<Offer> known = new ArrayList<>(offers.size());
    for (Offer offer : offers) {
      known.add(new Offer(offer.id(), head.find(offer.id()), offer.arm()));
    }
    return known;
  }

  /** Asks the bandit, and the auditor about its choice. */
  AuditedChoice decide(String decisionId, Request request) {
    return withheld(
        turn.requireSpec()
            .bandit()
            .decide(turn.state.blocks(), request, head.rounds + 1, turn.draw(decisionId), clip()));
  }

  /** Has the bandit take over an answer that was given before its state was lost. */
  AuditedChoice recall(Decision given, Request request) {
    return withheld(
        turn.requireSpec()
            .bandit()
            .recall(
                turn.state.blocks(),
                request,
                GivenChoice.of(given, Journal.candidates(request, turn.requireSpec())),
                head.rounds + 1,
                turn.draw(given.decisionId()),
                clip()));
  }

  /** Withholds verdicts where an assumption is refuted. */
  private AuditedChoice withheld(AuditedChoice audited) {
    return turn.refutation() == AuditRefuted.WITHHELD ? Refutations.withheld(audited) : audited;
  }

  /** Books a decision that nothing learns from. */
  void decidedNotLearnable(Request request, AuditedChoice audited) {
    count(request, audited);
    head.ledgers.add(Account.DECISION_CLOSED_NOT_LEARNABLE);
  }

  private int count(Request request, AuditedChoice audited) {
    Choice choice = audited.choice();
    int position = head.positionOf(request.offers().get(choice.arm()).id());
    head.armDecisions.set(position, head.armDecisions.get(position) + 1);
    head.rounds++;
    head.audit.decided(
        audited.findings(),
        choice.certified(),
        choice.reason() == ChoiceReason.FALLBACK,
        audited.excluded());
    head.ledgers.add(Account.CONTEXT_DECIDED);
    return position;
  }

  /** Books a decision that awaits a reward; its seq is the one just written. */
  Entry.Awaiting decided(
      IdHash id, long contextTime, long contextDigest, Request request, AuditedChoice audited) {
    CompiledSpec spec = turn.requireSpec();
    Choice choice = audited.choice();
    int position = count(request, audited);
    Entry.Awaiting decision =
        new Entry.Awaiting(
            contextTime + spec.windowMillis(),
            0,
            contextDigest,
            contextTime,
            head.seq,
            position,
            position,
            head.levelVersion,
            choice.propensities()[choice.arm()],
            Propensities.of(choice, Journal.kind(choice)),
            request.person().levels(),
            spec.bandit().inputs(request, audited),
            List.of(),
            null);
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
    Entry.Awaiting now = meanings.translated(decision);
    Collected before = now.collected();
    Collected after =
        before == null
            ? Collected.first(reward, time, mediators)
            : before.plus(reward, time, mediators);
    Entry.Awaiting grown = now.with(seen, after, shown, inputsOf(now, shown));
    PendingDigest.remove(head, id, decision);
    PendingDigest.add(head, id, grown);
    return grown;
  }

  private double[] inputsOf(Entry.Awaiting decision, int shown) {
    return shown == decision.arm()
        ? decision.inputs()
        : inputsOf(decision, profile(head.arms.get(shown)));
  }

  private double[] inputsOf(Entry.Awaiting decision, Profile arm) {
    return turn.requireSpec().bandit().inputsOfArm(decision.inputs(), arm);
  }

  /** Returns what an arm of the spec or of an earlier one sets; of another one, nothing. */
  private Profile profile(String arm) {
    Profile known = meanings.profile(arm);
    return known == null ? NOTHING : known;
  }

  /**
   * Says whether the model can learn of an arm: one that the spec has, or had while the segment was
   * under it, or one of the request's own that was chosen.
   */
  boolean knows(Entry.Awaiting decision, String arm) {
    boolean isRemembered = decision.inputs().length > 0;
    return (isRemembered && arm.equals(head.arms.get(decision.arm())))
        || meanings.profile(arm) != null;
  }

  /** Says whether the arm decided is one that only its request had. */
  boolean isOfOwnCandidates(Entry.Awaiting decision) {
    return turn.requireSpec().bandit().takesOffers()
        && meanings.profile(head.arms.get(decision.arm())) == null;
  }

  /**
   * Teaches the model what an arm that it {@link #knows} brought, and notes which causal bounds
   * that refutes.
   *
   * @throws UnusableRequestException if the model cannot compute with it; nothing has changed
   */
  void learn(Entry.Awaiting decision, String arm, int[] mediators, double reward) {
    CompiledSpec spec = turn.requireSpec();
    Bandit bandit = spec.bandit();
    int index = spec.spec().arms().indexOf(arm);
    boolean isChosen = arm.equals(head.arms.get(decision.arm()));
    boolean isRemembered = isChosen && decision.inputs().length > 0;
    Profile own = isRemembered ? NOTHING : profile(arm);
    double[] inputs = isChosen ? decision.inputs() : inputsOf(decision, own);
    int found = head.find(arm);
    int position = found < 0 ? head.arms.size() : found;
    int[] person = meanings.translated(decision).context();
    Experience experience =
        new Experience(person, inputs, index, own.levels(), position, mediators, reward);
    bandit.learn(turn.state.blocks(), experience, head.rounds);
    turn.hasRefuted |= spec.assumptions().observe(turn.state.blocks(), experience);
    head.positionOf(arm);
    head.audit.rewarded(spec.sensitive(person), reward);
    if (turn.causalBounds != null) {
      Request about = request(new Profile(person, bandit.numbers(inputs)), null);
      for (Refutation refuted :
          bandit.refuted(
              turn.state.blocks(),
              about,
              head.rounds,
              turn.causalBounds.table(),
              head.refutedBounds)) {
        head.refutedBounds.set(refuted.row());
        turn.refuted.add(refuted);
      }
    }
  }

  /** Books that a decision awaits nothing any more, and tells the bandit if it learned nothing. */
  void close(IdHash id, Entry.Awaiting decision, Account account, boolean isLearned) {
    if (!isLearned && turn.spec != null && meanings.isOfModel(decision)) {
      turn.spec.bandit().lose(turn.state.blocks(), decision.inputs());
    }
    PendingDigest.remove(head, id, decision);
    head.ledgers.move(Account.DECISION_AWAITING, account);
  }
}
