package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.bandit.features.Profile;
import io.equipoise.event.ContentDigest;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.RewardEvent;
import io.equipoise.join.Ledgers.Account;
import io.equipoise.spec.Encoded;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a context brings: an answer, always, unless it was answered before. */
final class Deciding {
  private final Turn turn;
  private final Changes changes;
  private final Settling settling;
  private final Closing closing;
  private final Phases phases;

  Deciding(Turn turn, Changes changes, Settling settling, Closing closing) {
    this.turn = turn;
    this.changes = changes;
    this.settling = settling;
    this.closing = closing;
    this.phases = new Phases(turn, changes);
  }

  /**
   * Answers a context.
   *
   * @param now the clock's time, ms; read only to see whether {@code answerBy} has passed
   */
  void onContext(ContextEvent event, long now) {
    IdHash id = IdHash.of(event.decisionId());
    long digest = ContentDigest.of(event);
    Entry known = turn.state.entry(id);
    if (known != null && !(known instanceof Entry.Early)) {
      repeated(event, digest, known);
      return;
    }
    List<RewardEvent> early = known instanceof Entry.Early held ? held.held() : List.of();
    if (known != null) {
      closing.forgetPending(id);
    }
    answer(event, id, digest, now);
    for (RewardEvent reward : early) {
      turn.head.ledgers.move(Account.REWARD_HELD_EARLY, settling.onReward(reward));
    }
  }

  private void repeated(ContextEvent event, long digest, Entry known) {
    long first =
        known instanceof Entry.Awaiting decision
            ? decision.contextDigest()
            : ((Entry.Tombstone) known).contextDigest();
    if (first == digest) {
      turn.head.ledgers.add(Account.CONTEXT_DUPLICATE);
      turn.journal.deadLetter(
          event,
          ErrorCode.DUPLICATE_CONTEXT,
          "this context was answered before; its decision is on the topic");
    } else {
      turn.head.ledgers.add(Account.CONTEXT_CONFLICTING);
      turn.journal.deadLetter(
          event,
          ErrorCode.CONFLICT_CONTEXT,
          "this decision id was answered with another context; use a new id for a new request");
    }
  }

  private void answer(ContextEvent event, IdHash id, long digest, long now) {
    @Nullable ErrorCode fault = event.fault();
    if (fault != null) {
      reject(event, id, digest, fault, String.valueOf(event.faultMessage()));
      return;
    }
    CompiledSpec spec = turn.spec;
    if (spec == null) {
      reject(
          event,
          id,
          digest,
          ErrorCode.UNKNOWN_SEGMENT,
          "no spec covers segment " + turn.segment + "; publish one or correct the segment");
      return;
    }
    Long answerBy = event.answerBy();
    if (answerBy != null && answerBy < now) {
      refuse(event, id, digest, DecisionWhy.STALE, ErrorCode.STALE);
      return;
    }
    Encoded encoded = spec.encoder().encode(event.attributes());
    if (!encoded.isValid()) {
      reject(event, id, digest, Faults.code(encoded), Faults.message(encoded));
      return;
    }
    OwnArms own = OwnArms.of(event, spec);
    if (own.fault() != null) {
      reject(event, id, digest, own.fault(), own.message());
      return;
    }
    Profile person = new Profile(encoded.levels(), encoded.numbers());
    decide(event, id, digest, changes.request(person, own.offers()));
  }

  private void decide(ContextEvent event, IdHash id, long digest, Request request) {
    phases.closeDone(event.eventTime());
    AuditedChoice audited;
    try {
      audited = changes.decide(event.decisionId(), request);
    } catch (UnusableRequestException e) {
      reject(event, id, digest, ErrorCode.UNUSABLE_FEATURES, String.valueOf(e.getMessage()));
      return;
    }
    turn.journal.decided(event, request, audited);
    if (audited.choice().why().isLearnt()) {
      closing.await(id, changes.decided(id, event.eventTime(), digest, request, audited));
    } else {
      changes.decidedUnlearnt(request, audited);
      bury(event, id, digest);
    }
    if (turn.head.rounds % turn.requireSpec().spec().metricsEvery() == 0) {
      turn.journal.metrics(event.eventTime(), MetricsTrigger.COUNT);
    }
  }

  private void reject(ContextEvent event, IdHash id, long digest, ErrorCode code, String message) {
    turn.journal.deadLetter(event, code, message);
    refuse(event, id, digest, DecisionWhy.REJECTED, code);
  }

  private void refuse(ContextEvent event, IdHash id, long digest, DecisionWhy why, ErrorCode code) {
    @Nullable CompiledSpec spec = turn.spec;
    turn.journal.answered(event, why, spec == null ? null : spec.spec().join().fallbackArm(), code);
    turn.head.ledgers.add(
        why == DecisionWhy.STALE ? Account.CONTEXT_STALE : Account.CONTEXT_REJECTED);
    bury(event, id, digest);
  }

  private void bury(ContextEvent event, IdHash id, long digest) {
    long forget = Turn.plausibleTime(event) + turn.dedupMillis();
    closing.bury(id, new Entry.Tombstone(forget, 0, Entry.Fate.UNLEARNT, digest, List.of()));
  }
}
