package io.equipoise.segment;

import io.equipoise.event.Account;
import io.equipoise.event.AuditRefuted;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.Thrown;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.PhasedPolicy;
import io.equipoise.policy.PhasedPolicy.ClosedPhase;
import io.equipoise.policy.PhasedPolicy.Progress;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyCall;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.ScratchModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateAccessException;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.split.LiveSplits;
import io.equipoise.segment.log.RecordFields;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.PendingDigest;
import io.equipoise.segment.state.PendingPropensities;
import io.equipoise.segment.state.RewardAggregate;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.ValidatedBounds;
import io.equipoise.segment.upgrade.SpecTranslation;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.OnRefutation;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes the learning state in the ways that the log records. The machine makes these changes as
 * events arrive, and the oracle repeats them as it reads the log. Both use these methods, so that
 * they cannot differ.
 *
 * <p>Holds no state: every method changes the segment's header and model through the context. A
 * policy runs on scratch copies of the blocks that it changes; they are written back only if it
 * does not fail.
 */
public final class StateTransitions {
  private static final BitSet KEEP_ALL = new BitSet();
  private static final Profile NOTHING = Profile.of();

  private final SegmentContext segmentContext;
  private final SegmentHeader head;
  private final SpecTranslation specTranslation;

  public StateTransitions(SegmentContext segmentContext) {
    this.segmentContext = segmentContext;
    this.head = segmentContext.head;
    this.specTranslation = new SpecTranslation(segmentContext);
  }

  /** Returns the translation of arms and levels of earlier specs. */
  SpecTranslation meanings() {
    return specTranslation;
  }

  /** Adopts causal bounds; later indices are clipped into them. */
  void adopt(ValidatedBounds.Usable causalBounds) {
    head.boundsHash = causalBounds.set().hash();
    head.boundsVersion = causalBounds.set().version();
    head.refutedBounds.clear();
    segmentContext.causalBounds = causalBounds;
  }

  /** Ends the experiment without a result; rewards of pending samples are no longer learned. */
  void abort(Progress running) {
    running.abort();
    segmentContext.state.blocks().put(PhasedPolicy.PROGRESS, running);
    head.levelVersion++;
  }

  /**
   * Closes the open phase of the segment's experiment, or returns null if it goes on.
   *
   * @throws RefusedByPolicyException if the policy does not compute its end; nothing has changed
   */
  @Nullable ClosedPhase closePhase() {
    PhasedPolicy experiment = segmentContext.requireSpec().experiment();
    return experiment == null
        ? null
        : contained(
            ScratchModelState.forReward(segmentContext.state.blocks()),
            blocks ->
                experiment.closePhase(
                    blocks,
                    head.ledgers.get(Account.REWARD_LATE),
                    head.ledgers.get(Account.REWARD_DUPLICATE)));
  }

  private ClippedIndex clip() {
    SegmentSpec spec = segmentContext.requireSpec().spec();
    CausalBoundsSpec rule = spec.policy().causalBounds();
    if (segmentContext.causalBounds == null || rule == null) {
      return ClippedIndex.NONE;
    }
    boolean ignores = rule.refuted() == OnRefutation.IGNORE;
    return ClippedIndex.into(
        segmentContext.causalBounds.table(),
        ignores ? head.refutedBounds : KEEP_ALL,
        spec.reward().range());
  }

  /** Returns a request for the arms of the spec, or for those that it brings. */
  public Request request(Profile person, @Nullable List<Candidate> own) {
    CompiledSpec spec = segmentContext.requireSpec();
    List<Candidate> candidates = own == null ? spec.specArms() : own;
    List<Candidate> placed = spec.policy().takesCandidates() ? known(candidates) : candidates;
    return new Request(person, placed, own == null, head.arms.size());
  }

  private List<Candidate> known(List<Candidate> candidates) {
    List<Candidate> known = new ArrayList<>(candidates.size());
    for (Candidate candidate : candidates) {
      known.add(new Candidate(candidate.id(), head.find(candidate.id()), candidate.arm()));
    }
    return known;
  }

  /**
   * Pairs a decision of the policy with its inputs for learning.
   *
   * @param inputs stored with the decision until its reward; empty if nothing is learned from it
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record Made(AuditedChoice audited, double[] inputs) {}

  /**
   * Asks the policy for a decision and the auditor for findings about it.
   *
   * @param given the decision that was published before its state was lost; null if none was
   * @throws RefusedByPolicyException if the policy does not compute it; nothing has changed
   */
  public Made decide(String decisionId, Request request, @Nullable Decision given) {
    CompiledSpec spec = segmentContext.requireSpec();
    Policy policy = spec.policy();
    return contained(
        ScratchModelState.forDecision(segmentContext.state.blocks()),
        blocks -> {
          PublishedChoice published =
              given == null
                  ? null
                  : RecoveredChoice.of(given, RecordFields.candidates(request, spec));
          SeededRandom seededRandom = segmentContext.draw(decisionId);
          AuditedChoice audited =
              withheld(
                  policy.decide(blocks, request, head.rounds + 1, seededRandom, clip(), published));
          Choice choice = audited.choice();
          if (given == null) {
            choice.requireSound(request.candidates().size());
          }
          Objects.checkIndex(choice.arm(), request.candidates().size());
          boolean isLearned = choice.reason().isLearned();
          return new Made(audited, isLearned ? policy.inputs(request, audited) : Policy.NO_INPUTS);
        });
  }

  /**
   * Runs a policy on copies of the blocks that it changes, and writes them back if it does not
   * fail.
   *
   * @throws RefusedByPolicyException if it rejects the request or fails; nothing has changed
   */
  private <T extends @Nullable Object> T contained(
      ScratchModelState blocks, Function<ModelState, T> asked) {
    T result;
    try {
      result = PolicyCall.of(() -> asked.apply(blocks));
    } catch (StateAccessException e) {
      throw e; // the backend's failure, not the policy's: the task restarts
    } catch (Throwable e) { // of any class: one input must not end the job again and again
      String policy = segmentContext.requireSpec().spec().policy().name().wire();
      throw new RefusedByPolicyException(policy, e);
    }
    blocks.writeBack();
    return result;
  }

  /** Removes the guarantee of findings if an assumption is refuted, and withholds verdicts. */
  private AuditedChoice withheld(AuditedChoice audited) {
    AuditRefuted refuted = segmentContext.refutation();
    return refuted == null
        ? audited
        : Refutations.withoutGuarantee(audited, refuted == AuditRefuted.WITHHELD);
  }

  /** Counts a decision that nothing learns from. */
  public void decidedNotLearnable(Request request, AuditedChoice audited) {
    count(request, audited);
    head.ledgers.add(Account.DECISION_CLOSED_NOT_LEARNABLE);
  }

  private int count(Request request, AuditedChoice audited) {
    Choice choice = audited.choice();
    int position = head.positionOf(request.candidates().get(choice.arm()).id());
    head.decided(position);
    head.rounds++;
    head.audit.decided(
        audited.findings(),
        choice.certified(),
        choice.reason().isWithoutCertificate(),
        audited.excluded());
    head.ledgers.add(Account.CONTEXT_DECIDED);
    return position;
  }

  /**
   * Counts a decision that awaits a reward and returns its entry; its seq is the one just written.
   */
  public Entry.PendingDecision decided(
      IdHash id, long contextTime, long contextDigest, Request request, Made made) {
    CompiledSpec spec = segmentContext.requireSpec();
    AuditedChoice audited = made.audited();
    Choice choice = audited.choice();
    int position = count(request, audited);
    Entry.PendingDecision decision =
        new Entry.PendingDecision(
            contextTime + spec.windowMillis(),
            0,
            contextDigest,
            contextTime,
            head.seq,
            position,
            position,
            head.levelVersion,
            choice.propensities()[choice.arm()],
            PendingPropensities.of(choice),
            request.person().levels(),
            made.inputs(),
            List.of(),
            null);
    head.ledgers.add(Account.DECISION_AWAITING);
    PendingDigest.add(head, id, decision);
    return decision;
  }

  /** Adds a reward to a decision's aggregate. */
  Entry.PendingDecision collected(
      IdHash id,
      Entry.PendingDecision decision,
      int shown,
      Entry.RewardFingerprint rewardFingerprint,
      double reward,
      long time,
      int[] mediators) {
    Entry.PendingDecision now = specTranslation.translated(decision);
    RewardAggregate before = now.collected();
    RewardAggregate after =
        before == null
            ? RewardAggregate.first(reward, time, mediators)
            : before.plus(reward, time, mediators);
    return replace(id, decision, now.with(rewardFingerprint, after, shown, inputsOf(now, shown)));
  }

  /** Returns the decision with the arm that was shown. */
  Entry.PendingDecision confirmed(
      IdHash id, Entry.PendingDecision decision, int shown, Entry.RewardFingerprint confirmation) {
    Entry.PendingDecision now = specTranslation.translated(decision);
    return replace(
        id, decision, now.with(confirmation, now.collected(), shown, inputsOf(now, shown)));
  }

  private Entry.PendingDecision replace(
      IdHash id, Entry.PendingDecision before, Entry.PendingDecision after) {
    PendingDigest.remove(head, id, before);
    PendingDigest.add(head, id, after);
    return after;
  }

  private double[] inputsOf(Entry.PendingDecision decision, int shown) {
    return shown == decision.arm()
        ? decision.inputs()
        : inputsOf(decision, profile(head.arms.get(shown)));
  }

  private double[] inputsOf(Entry.PendingDecision decision, Profile arm) {
    return segmentContext.requireSpec().policy().inputsOfArm(decision.inputs(), arm);
  }

  /** Returns the action levels of an arm of this spec or an earlier one; none for any other arm. */
  private Profile profile(String arm) {
    Profile known = specTranslation.profile(arm);
    return known == null ? NOTHING : known;
  }

  /**
   * Returns whether the model can learn a reward of an arm: an arm of the spec, of an earlier spec
   * of the segment, or the chosen arm if the request brought it.
   */
  public boolean knows(Entry.PendingDecision decision, String arm) {
    boolean isRemembered = decision.inputs().length > 0;
    return (isRemembered && arm.equals(head.arms.get(decision.arm())))
        || specTranslation.profile(arm) != null;
  }

  /** Returns whether the decided arm came with its request and is in no spec. */
  boolean isOfOwnCandidates(Entry.PendingDecision decision) {
    return segmentContext.requireSpec().policy().takesCandidates()
        && specTranslation.profile(head.arms.get(decision.arm())) == null;
  }

  /**
   * Teaches the model the reward of an arm that it {@link #knows}, and records which causal bounds
   * the reward refutes.
   *
   * @throws RefusedByPolicyException if the policy does not compute it; nothing has changed
   */
  void learn(Entry.PendingDecision remembered, String arm, int[] mediators, double reward) {
    Entry.PendingDecision decision = specTranslation.translated(remembered);
    CompiledSpec spec = segmentContext.requireSpec();
    int before = head.arms.size();
    Learned learned;
    try {
      learned =
          contained(
              ScratchModelState.forReward(segmentContext.state.blocks()),
              blocks -> learned(blocks, decision, arm, mediators, reward));
    } catch (RefusedByPolicyException e) {
      head.forgetArmsFrom(before);
      throw e;
    }
    split(learned.experience(), decision.contextTime());
    segmentContext.hasRefuted |= learned.isRefuted();
    head.audit.rewarded(spec.sensitive(decision.context()), reward);
    for (Refutation refuted : learned.bounds()) {
      head.refutedBounds.set(refuted.row());
      segmentContext.refuted.add(refuted);
    }
  }

  /**
   * Counts a reward that the policy has learned in the splits, which nothing else reads, so without
   * copies. An exception stops the splits and rejects nothing; a replay repeats it, because it
   * follows from reward and state.
   */
  private void split(Experience experience, long time) {
    LiveSplits splits = segmentContext.requireSpec().splits();
    ModelState blocks = segmentContext.state.blocks();
    try {
      splits.observe(blocks, experience, time);
    } catch (StateAccessException e) {
      throw e; // the task restarts
    } catch (RuntimeException e) {
      splits.stop(blocks);
      segmentContext.policyFailures.add("fairness.split stopped: " + Thrown.text(e));
    }
  }

  /** Collects what was learned and what it refuted: an assumption, and rows of causal bounds. */
  private record Learned(Experience experience, boolean isRefuted, List<Refutation> bounds) {}

  private Learned learned(
      ModelState blocks,
      Entry.PendingDecision decision,
      String arm,
      int[] mediators,
      double reward) {
    CompiledSpec spec = segmentContext.requireSpec();
    Policy policy = spec.policy();
    int index = spec.spec().arms().indexOf(arm);
    boolean isChosen = arm.equals(head.arms.get(decision.arm()));
    Profile own = profile(arm);
    double[] inputs = isChosen ? decision.inputs() : inputsOf(decision, own);
    int found = head.find(arm);
    int position = found < 0 ? head.arms.size() : found;
    int[] person = decision.context();
    Experience experience =
        new Experience(person, inputs, index, own.levels(), position, mediators, reward);
    policy.learn(blocks, experience, head.rounds);
    if (position != decision.decided()) {
      end(blocks, decision);
    }
    boolean isRefuted = spec.assumptions().observe(blocks, experience, head.seq);
    head.positionOf(arm);
    if (segmentContext.causalBounds == null) {
      return new Learned(experience, isRefuted, List.of());
    }
    Request about = request(new Profile(person, policy.numbers(inputs)), null);
    return new Learned(
        experience,
        isRefuted,
        policy.refuted(
            blocks, about, head.rounds, segmentContext.causalBounds.table(), head.refutedBounds));
  }

  private void end(ModelState blocks, Entry.PendingDecision decision) {
    CompiledSpec spec = segmentContext.requireSpec();
    int arm = spec.spec().arms().indexOf(head.arms.get(decision.decided()));
    spec.policy().end(blocks, arm, decision.decided());
  }

  /** Closes a decision in the ledgers, and informs the policy if nothing was learned from it. */
  void close(IdHash id, Entry.PendingDecision decision, Account account, boolean isLearned) {
    if (!isLearned && segmentContext.spec != null && specTranslation.isOfModel(decision)) {
      Policy policy = segmentContext.spec.policy();
      Entry.PendingDecision now = specTranslation.translated(decision);
      try {
        contained(
            ScratchModelState.forReward(segmentContext.state.blocks()),
            blocks -> {
              policy.lose(blocks, now.inputs());
              end(blocks, now);
              return now;
            });
      } catch (RefusedByPolicyException e) {
        // the loss changes nothing then; the decision is closed all the same
        segmentContext.policyFailures.add(String.valueOf(e.getMessage()));
      }
    }
    PendingDigest.remove(head, id, decision);
    head.ledgers.move(Account.DECISION_AWAITING, account);
  }
}
