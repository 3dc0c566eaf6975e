package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.event.ContentDigest;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionWhy;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.RewardEvent;
import io.equipoise.join.Ledgers.Account;
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
      closing.forgetEarly(id);
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
          event, ErrorCode.DUPLICATE_CONTEXT, "this context was decided before");
    } else {
      turn.head.ledgers.add(Account.CONTEXT_CONFLICTING);
      turn.journal.deadLetter(
          event,
          ErrorCode.CONFLICT_CONTEXT,
          "this decision id was answered with another context; use a new id for a new request");
    }
  }

  private void answer(ContextEvent event, IdHash id, long digest, long now) {
    @Nullable Decision given = turn.given.take(event);
    if (given != null && !given.isChosen()) {
      refuseAgain(event, id, digest, given);
      return;
    }
    @Nullable ErrorCode fault = event.fault();
    if (fault != null) {
      reject(event, id, digest, fault, String.valueOf(event.faultMessage()), given);
      return;
    }
    CompiledSpec spec = turn.spec;
    if (spec == null) {
      reject(
          event, id, digest, ErrorCode.UNKNOWN_SEGMENT, UncoveredSegment.fact(turn.segment), given);
      return;
    }
    Long answerBy = event.answerBy();
    if (given == null && answerBy != null && answerBy < now) {
      refuse(event, id, digest, DecisionWhy.STALE, ErrorCode.STALE, null);
      return;
    }
    ContextReading reading = ContextReading.of(event, spec);
    @Nullable ErrorCode refused = reading.fault();
    if (refused != null) {
      reject(event, id, digest, refused, reading.message(), given);
      return;
    }
    OwnArms all = reading.own();
    OwnArms own = given == null ? all.rememberedBy(turn.head) : all.among(given.candidates());
    if (own.fault() != null) {
      reject(event, id, digest, own.fault(), own.message(), given);
      return;
    }
    Request request = changes.request(reading.person(), own.offers());
    if (given != null && !GivenChoice.isOf(given, request, event.origin(), spec, turn.book)) {
      reject(event, id, digest, ErrorCode.MODEL_CHANGED, changed(given), given);
      return;
    }
    decide(event, id, digest, request, given);
  }

  private static String changed(Decision given) {
    return given.hidden() == null
        ? "it was answered under spec " + given.specHash() + " before the job was restarted"
        : "it was answered before the job was restarted with another key or other"
            + " equipoise.outputs.sensitive, so that its features cannot be opened";
  }

  /**
   * Takes a decision.
   *
   * @param given the answer that the context has already, null where it has none
   */
  private void decide(
      ContextEvent event, IdHash id, long digest, Request request, @Nullable Decision given) {
    phases.closeDone(event.eventTime());
    AuditedChoice audited;
    try {
      audited =
          given == null
              ? changes.decide(event.decisionId(), request)
              : changes.recall(given, request);
    } catch (UnusableRequestException e) {
      String message = String.valueOf(e.getMessage());
      reject(event, id, digest, ErrorCode.UNUSABLE_FEATURES, message, given);
      return;
    }
    turn.journal.decided(event, request, audited, given != null);
    if (audited.choice().why().isLearnt()) {
      closing.await(id, changes.decided(id, event.eventTime(), digest, request, audited));
    } else {
      changes.decidedUnlearnt(request, audited);
      bury(event, id, digest);
    }
    if (turn.isSnapshotDue()) {
      turn.journal.metrics(event.eventTime(), MetricsTrigger.COUNT);
    }
  }

  /** Refuses a context, which keeps the arm that it was given, if it was given one. */
  private void reject(
      ContextEvent event,
      IdHash id,
      long digest,
      ErrorCode code,
      String message,
      @Nullable Decision given) {
    turn.journal.deadLetter(event, code, message);
    refuse(event, id, digest, DecisionWhy.REJECTED, code, given);
  }

  private void refuseAgain(ContextEvent event, IdHash id, long digest, Decision given) {
    if (given.why() == DecisionWhy.STALE) {
      refuse(event, id, digest, DecisionWhy.STALE, ErrorCode.STALE, given);
    } else {
      reject(event, id, digest, codeOf(given), Faults.REFUSED_BEFORE, given);
    }
  }

  /** A record of a later version may have a code that this one lacks. */
  static ErrorCode codeOf(Decision refused) {
    for (ErrorCode code : ErrorCode.values()) {
      if (code.name().equals(refused.errorCode())) {
        return code;
      }
    }
    return ErrorCode.MALFORMED;
  }

  private void refuse(
      ContextEvent event,
      IdHash id,
      long digest,
      DecisionWhy why,
      ErrorCode code,
      @Nullable Decision given) {
    turn.journal.answered(
        event, why, given == null ? turn.fallbackArm() : given.arm(), code, given != null);
    turn.head.ledgers.add(
        why == DecisionWhy.STALE ? Account.CONTEXT_STALE : Account.CONTEXT_REJECTED);
    bury(event, id, digest);
  }

  private void bury(ContextEvent event, IdHash id, long digest) {
    long forget = Turn.plausibleTime(event) + turn.dedupMillis();
    closing.bury(id, new Entry.Tombstone(forget, 0, Entry.Fate.UNLEARNT, digest, List.of()));
  }
}
