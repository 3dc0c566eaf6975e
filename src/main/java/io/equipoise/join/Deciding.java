package io.equipoise.join;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.event.Account;
import io.equipoise.event.ContentDigest;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.InputFault;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.RewardEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a context brings: an answer, always; a repeated one gets the arm first given. */
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
   * @param now the clock's time, ms; read only to see whether {@code deadline} has passed
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
          event, new InputFault(ErrorCode.DUPLICATE_CONTEXT, "this context was decided before"));
    } else {
      turn.head.ledgers.add(Account.CONTEXT_CONFLICTING);
      turn.journal.deadLetter(
          event,
          new InputFault(
              ErrorCode.CONFLICTING_CONTEXT, "this decision id was answered with another context"));
    }
    int decided =
        known instanceof Entry.Awaiting decision
            ? decision.decided()
            : ((Entry.Tombstone) known).decided();
    turn.journal.repeated(
        event, decided == Entry.Tombstone.NO_ARM ? null : turn.head.arms.get(decided));
  }

  private void answer(ContextEvent event, IdHash id, long digest, long now) {
    @Nullable Decision given = turn.given.take(event);
    if (given != null && !given.isChosen()) {
      refuseAgain(event, id, digest, given);
      return;
    }
    @Nullable InputFault fault = event.fault();
    if (fault != null) {
      reject(event, id, digest, fault, given);
      return;
    }
    CompiledSpec spec = turn.spec;
    if (spec == null) {
      reject(event, id, digest, SegmentWithoutSpec.fault(turn.segment), given);
      return;
    }
    Long deadline = event.deadline();
    if (given == null && deadline != null && deadline < now) {
      refuse(
          event, id, digest, DecisionReason.DEADLINE_EXCEEDED, ErrorCode.DEADLINE_EXCEEDED, null);
      return;
    }
    ContextReading reading = ContextReading.of(event, spec);
    @Nullable InputFault refused = reading.fault();
    if (refused != null) {
      reject(event, id, digest, refused, given);
      return;
    }
    OwnArms all = reading.own();
    OwnArms own = given == null ? all.rememberedBy(turn.head) : all.among(given.candidates());
    if (own.fault() != null) {
      reject(event, id, digest, own.fault(), given);
      return;
    }
    Request request = changes.request(reading.person(), own.offers());
    if (given != null && !GivenChoice.isOf(given, request, event.origin(), spec, turn.book)) {
      reject(event, id, digest, new InputFault(ErrorCode.MODEL_CHANGED, changed(given)), given);
      return;
    }
    decide(event, id, digest, request, given);
  }

  private static String changed(Decision given) {
    return given.redaction() == null
        ? "it was answered under spec " + given.specHash() + " before the job was restarted"
        : "it was answered before the job was restarted with another key or other"
            + " equipoise.privacy.sensitive-values, so that its features cannot be opened";
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
      reject(event, id, digest, new InputFault(ErrorCode.UNUSABLE_FEATURES, message), given);
      return;
    }
    turn.journal.decided(event, request, audited, given != null);
    if (audited.choice().reason().isLearned()) {
      closing.await(id, changes.decided(id, event.eventTime(), digest, request, audited));
    } else {
      changes.decidedNotLearnable(request, audited);
      bury(event, id, digest, request.offers().get(audited.choice().arm()).id());
    }
    if (turn.isSnapshotDue()) {
      turn.journal.metrics(event.eventTime(), MetricsTrigger.COUNT);
    }
  }

  /** Refuses a context, which keeps the arm that it was given, if it was given one. */
  private void reject(
      ContextEvent event, IdHash id, long digest, InputFault fault, @Nullable Decision given) {
    turn.journal.deadLetter(event, fault);
    refuse(event, id, digest, DecisionReason.REJECTED, fault.code(), given);
  }

  private void refuseAgain(ContextEvent event, IdHash id, long digest, Decision given) {
    if (given.reason() == DecisionReason.DEADLINE_EXCEEDED) {
      refuse(
          event, id, digest, DecisionReason.DEADLINE_EXCEEDED, ErrorCode.DEADLINE_EXCEEDED, given);
    } else {
      ErrorCode code = codeOf(given);
      turn.journal.recoveredDeadLetter(
          event, new InputFault(code, "it was refused before the job was restarted"));
      refuse(event, id, digest, DecisionReason.REJECTED, code, given);
    }
  }

  /** A record of a later version may have a code that this one lacks. */
  static ErrorCode codeOf(Decision refused) {
    ErrorCode code = ErrorCode.of(refused.errorCode());
    return code == null ? ErrorCode.MALFORMED : code;
  }

  private void refuse(
      ContextEvent event,
      IdHash id,
      long digest,
      DecisionReason reason,
      ErrorCode code,
      @Nullable Decision given) {
    @Nullable String arm = given == null ? turn.fallbackArm() : given.arm();
    turn.journal.answered(event, reason, arm, code, given != null);
    turn.head.ledgers.add(
        reason == DecisionReason.DEADLINE_EXCEEDED
            ? Account.CONTEXT_DEADLINE_EXCEEDED
            : Account.CONTEXT_REJECTED);
    bury(event, id, digest, arm);
  }

  private void bury(ContextEvent event, IdHash id, long digest, @Nullable String arm) {
    long forget = Turn.plausibleTime(event) + turn.dedupMillis();
    int decided = arm == null ? Entry.Tombstone.NO_ARM : turn.head.find(arm);
    closing.bury(
        id, new Entry.Tombstone(forget, 0, Entry.Fate.NOT_LEARNABLE, digest, decided, List.of()));
  }
}
