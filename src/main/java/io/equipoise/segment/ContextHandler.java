package io.equipoise.segment;

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
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Request;
import io.equipoise.segment.StateTransitions.Made;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.SegmentContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a context brings: an answer, always; a repeated one gets the arm first given. */
public final class ContextHandler {
  private final SegmentContext segmentContext;
  private final StateTransitions transitions;
  private final RewardHandler rewardHandler;
  private final ExpiryHandler expiryHandler;
  private final Phases phases;
  private final EventLogWriter eventLog;

  ContextHandler(
      SegmentContext segmentContext,
      StateTransitions transitions,
      RewardHandler rewardHandler,
      ExpiryHandler expiryHandler,
      Phases phases,
      EventLogWriter eventLog) {
    this.segmentContext = segmentContext;
    this.transitions = transitions;
    this.rewardHandler = rewardHandler;
    this.expiryHandler = expiryHandler;
    this.phases = phases;
    this.eventLog = eventLog;
  }

  /**
   * Answers a context.
   *
   * @param given the answer that an earlier attempt gave it, null where it gave none
   * @param now the clock's time, ms; read only to see whether {@code deadline} has passed
   */
  void onContext(ContextEvent event, @Nullable Decision given, long now) {
    IdHash id = IdHash.of(event.decisionId());
    long digest = ContentDigest.of(event);
    Entry known = segmentContext.state.entry(id);
    if (known != null && !(known instanceof Entry.EarlyRewards)) {
      repeated(event, digest, known);
      return;
    }
    List<RewardEvent> early = known instanceof Entry.EarlyRewards held ? held.held() : List.of();
    if (known != null) {
      expiryHandler.forgetEarly(id);
    }
    answer(event, id, digest, given, now);
    for (RewardEvent reward : early) {
      segmentContext.head.ledgers.move(Account.REWARD_HELD_EARLY, rewardHandler.onReward(reward));
    }
  }

  private void repeated(ContextEvent event, long digest, Entry known) {
    long first =
        known instanceof Entry.PendingDecision decision
            ? decision.contextDigest()
            : ((Entry.DedupEntry) known).contextDigest();
    if (first == digest) {
      segmentContext.head.ledgers.add(Account.CONTEXT_DUPLICATE);
      eventLog.deadLetter(
          event, new InputFault(ErrorCode.DUPLICATE_CONTEXT, "this context was decided before"));
    } else {
      segmentContext.head.ledgers.add(Account.CONTEXT_CONFLICTING);
      eventLog.deadLetter(
          event,
          new InputFault(
              ErrorCode.CONFLICTING_CONTEXT, "this decision id was answered with another context"));
    }
    int decided =
        known instanceof Entry.PendingDecision decision
            ? decision.decided()
            : ((Entry.DedupEntry) known).decided();
    eventLog.repeated(
        event, decided == Entry.DedupEntry.NO_ARM ? null : segmentContext.head.arms.get(decided));
  }

  private void answer(
      ContextEvent event, IdHash id, long digest, @Nullable Decision given, long now) {
    if (given != null && !given.isChosen()) {
      refuseAgain(event, id, digest, given);
      return;
    }
    @Nullable InputFault fault = event.fault();
    if (fault != null) {
      reject(event, id, digest, fault, given);
      return;
    }
    CompiledSpec spec = segmentContext.spec;
    if (spec == null) {
      reject(event, id, digest, SegmentWithoutSpec.fault(segmentContext.segment), given);
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
    RequestCandidates all = reading.own();
    RequestCandidates own =
        given == null ? all.rememberedBy(segmentContext.head) : all.among(given.candidates());
    if (own.fault() != null) {
      reject(event, id, digest, own.fault(), given);
      return;
    }
    Request request = transitions.request(reading.person(), own.offers());
    if (given != null
        && !RecoveredChoice.isOf(given, request, event.origin(), spec, segmentContext.book)) {
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
    @Nullable InputFault failed = phases.closeDone(event.eventTime());
    if (failed != null) {
      reject(event, id, digest, failed, given);
      return;
    }
    Made made;
    try {
      made =
          given == null
              ? transitions.decide(event.decisionId(), request)
              : transitions.recall(given, request);
    } catch (RefusedByPolicyException e) {
      reject(event, id, digest, e.fault(), given);
      return;
    }
    AuditedChoice audited = made.audited();
    eventLog.decided(event, request, audited, given != null);
    if (audited.choice().reason().isLearned()) {
      expiryHandler.await(id, transitions.decided(id, event.eventTime(), digest, request, made));
    } else {
      transitions.decidedNotLearnable(request, audited);
      markResolved(event, id, digest, request.offers().get(audited.choice().arm()).id());
    }
    if (segmentContext.isSnapshotDue()) {
      eventLog.metrics(event.eventTime(), MetricsTrigger.COUNT);
    }
  }

  /** Refuses a context, which keeps the arm that it was given, if it was given one. */
  private void reject(
      ContextEvent event, IdHash id, long digest, InputFault fault, @Nullable Decision given) {
    eventLog.deadLetter(event, fault);
    refuse(event, id, digest, DecisionReason.REJECTED, fault.code(), given);
  }

  private void refuseAgain(ContextEvent event, IdHash id, long digest, Decision given) {
    if (given.reason() == DecisionReason.DEADLINE_EXCEEDED) {
      refuse(
          event, id, digest, DecisionReason.DEADLINE_EXCEEDED, ErrorCode.DEADLINE_EXCEEDED, given);
    } else {
      ErrorCode code = codeOf(given);
      eventLog.recoveredDeadLetter(
          event, new InputFault(code, "it was refused before the job was restarted"));
      refuse(event, id, digest, DecisionReason.REJECTED, code, given);
    }
  }

  /** A record of a later version may have a code that this one lacks. */
  public static ErrorCode codeOf(Decision refused) {
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
    @Nullable String arm = given == null ? segmentContext.fallbackArm() : given.arm();
    eventLog.answered(event, reason, arm, code, given != null);
    segmentContext.head.ledgers.add(
        reason == DecisionReason.DEADLINE_EXCEEDED
            ? Account.CONTEXT_DEADLINE_EXCEEDED
            : Account.CONTEXT_REJECTED);
    markResolved(event, id, digest, arm);
  }

  private void markResolved(ContextEvent event, IdHash id, long digest, @Nullable String arm) {
    long forget = SegmentContext.plausibleTime(event) + segmentContext.dedupMillis();
    int decided = arm == null ? Entry.DedupEntry.NO_ARM : segmentContext.head.find(arm);
    expiryHandler.markResolved(
        id,
        new Entry.DedupEntry(
            forget, 0, Entry.Resolution.NOT_LEARNABLE, digest, decided, List.of()));
  }
}
