package io.equipoise.join;

import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.IdHash;
import io.equipoise.event.Origin;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.RewardEvent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An outcome record in the making: which of its many fields a kind of change fills differs. */
final class OutcomeDraft {
  private final Turn turn;
  private final int attempt;
  private final OutcomeKind kind;
  private final long eventTime;

  private @Nullable String decisionId;
  private @Nullable IdHash decisionHash;
  private Entry.@Nullable Awaiting decision;
  private @Nullable RewardEvent reward;
  private Map<String, String> mediators = Map.of();
  private @Nullable String arm;
  private @Nullable Double learnedReward;
  private List<String> stateReset = List.of();
  private @Nullable String detail;
  private @Nullable AssumptionAudit assumption;

  OutcomeDraft(Turn turn, int attempt, OutcomeKind kind, long eventTime) {
    this.turn = turn;
    this.attempt = attempt;
    this.kind = kind;
    this.eventTime = eventTime;
  }

  OutcomeDraft id(IdHash hash) {
    this.decisionHash = hash;
    return this;
  }

  OutcomeDraft decision(IdHash hash, Entry.Awaiting awaiting) {
    this.decisionHash = hash;
    this.decision = awaiting;
    this.arm = turn.head.arms.get(awaiting.arm());
    return this;
  }

  OutcomeDraft reward(RewardEvent event) {
    this.reward = event;
    this.decisionId = event.decisionId();
    return this;
  }

  /** Names the arm that is learnt, where it is not the one decided. */
  OutcomeDraft arm(String learnt) {
    this.arm = learnt;
    return this;
  }

  OutcomeDraft mediators(int[] levels) {
    this.mediators = MediatorsOfReward.named(levels, turn.requireSpec());
    return this;
  }

  OutcomeDraft learned(double value) {
    this.learnedReward = value;
    return this;
  }

  /** Only that of the arm decided is remembered. */
  private @Nullable Double propensity() {
    return decision != null && turn.head.arms.get(decision.arm()).equals(arm)
        ? Journal.known(decision.propensity())
        : null;
  }

  /** Says whether a reward was learnt. */
  boolean isLearnt() {
    return learnedReward != null;
  }

  OutcomeDraft reset(List<String> parts) {
    this.stateReset = parts;
    return this;
  }

  OutcomeDraft detail(String text) {
    this.detail = text;
    return this;
  }

  OutcomeDraft assumption(AssumptionAudit refuted) {
    this.assumption = refuted;
    return this;
  }

  Outcome numbered(long seq) {
    @Nullable CompiledSpec spec = turn.spec;
    @Nullable Origin origin = reward == null ? null : reward.origin();
    Propensities all = decision == null ? Propensities.UNKNOWN : decision.propensities();
    return new Outcome(
        kind,
        turn.segment,
        Journal.SHARD,
        attempt,
        seq,
        decisionId,
        decisionHash == null ? null : decisionHash.hex(),
        decision == null ? null : decision.decisionSeq(),
        reward == null ? null : reward.rewardId(),
        eventTime,
        arm,
        reward == null ? null : reward.shownArm(),
        propensity(),
        decision == null ? null : Journal.levels(decision.context()),
        mediators,
        reward == null ? null : reward.reward(),
        learnedReward != null,
        learnedReward,
        turn.head.fingerprint,
        spec == null ? null : spec.spec().hash(),
        spec == null ? null : spec.spec().number(),
        turn.head.priorHash,
        turn.priorNumber(),
        stateReset,
        detail,
        origin == null ? null : origin.topic(),
        origin == null ? null : origin.partition(),
        origin == null ? null : origin.offset(),
        null,
        Journal.boxed(all.list()),
        all.kind(),
        all.draws() == 0 ? null : (Integer) all.draws(),
        assumption);
  }
}
