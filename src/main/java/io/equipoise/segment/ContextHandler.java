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
import io.equipoise.segment.state.SegmentHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers every context; a repeated one gets the arm that the first got. */
public final class ContextHandler {
  private final SegmentSession session;
  private final SegmentContext segmentContext;
  private final EventLogWriter eventLog;

  ContextHandler(SegmentSession session) {
    this.session = session;
    this.segmentContext = session.segmentContext;
    this.eventLog = session.eventLog;
  }

  /**
   * Joins a context with its id, its digest and the recovered decision on it.
   *
   * @param digest of its content
   * @param given the decision that an earlier writer epoch made on it, null if it made none
   */
  private record Asked(ContextEvent event, IdHash id, long digest, @Nullable Decision given) {
    boolean isAnswered() {
      return given != null;
    }
  }

  /**
   * Answers a context.
   *
   * @param given the decision that an earlier writer epoch made on it, null if it made none; the
   *     state forgets an earlier decision of the id
   * @param now the clock's time, ms; read only to see whether {@code deadline} has passed
   */
  void onContext(ContextEvent event, @Nullable Decision given, long now) {
    Asked asked = new Asked(event, IdHash.of(event.decisionId()), ContentDigest.of(event), given);
    Entry known = segmentContext.state.entry(asked.id);
    if (known != null && !(known instanceof Entry.EarlyRewards)) {
      if (!asked.isAnswered()) {
        repeated(asked, known);
        return;
      }
      session.expiry.forget(asked.id, known);
      known = null;
    }
    List<RewardEvent> early = known instanceof Entry.EarlyRewards held ? held.held() : List.of();
    if (known != null) {
      session.expiry.forgetEarly(asked.id);
    }
    answer(asked, now);
    for (RewardEvent reward : early) {
      segmentContext.head.ledgers.move(Account.REWARD_HELD_EARLY, session.rewards.onReward(reward));
    }
  }

  private void repeated(Asked asked, Entry known) {
    ContextEvent event = asked.event;
    long first =
        known instanceof Entry.PendingDecision decision
            ? decision.contextDigest()
            : ((Entry.DedupEntry) known).contextDigest();
    if (first == asked.digest) {
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
    eventLog.repeated(event, armOf(known, segmentContext.head));
  }

  /** Returns the arm that the decision of an entry gave, or null. */
  static @Nullable String armOf(Entry known, SegmentHeader head) {
    int decided =
        known instanceof Entry.PendingDecision decision
            ? decision.decided()
            : ((Entry.DedupEntry) known).decided();
    return decided == Entry.DedupEntry.NO_ARM ? null : head.arms.get(decided);
  }

  private void answer(Asked asked, long now) {
    ContextEvent event = asked.event;
    @Nullable Decision given = asked.given;
    if (given != null && !given.isChosen()) {
      refuseAgain(asked, given);
      return;
    }
    @Nullable InputFault fault = event.fault();
    if (fault != null) {
      reject(asked, fault);
      return;
    }
    CompiledSpec spec = segmentContext.spec;
    if (spec == null) {
      reject(asked, SegmentWithoutSpec.fault(segmentContext.segment));
      return;
    }
    Long deadline = event.deadline();
    if (given == null && deadline != null && deadline < now) {
      refuse(asked, DecisionReason.DEADLINE_EXCEEDED, ErrorCode.DEADLINE_EXCEEDED);
      return;
    }
    ContextReading reading = ContextReading.of(event, spec);
    @Nullable InputFault refused = reading.fault();
    if (refused != null) {
      reject(asked, refused);
      return;
    }
    RequestCandidates all = reading.own();
    RequestCandidates own =
        given == null ? all.rememberedBy(segmentContext.head) : all.among(given.candidates());
    if (own.fault() != null) {
      reject(asked, own.fault());
      return;
    }
    Request request = session.transitions.request(reading.person(), own.candidates());
    if (given != null
        && !RecoveredChoice.isOf(given, request, event.origin(), spec, segmentContext.book)) {
      reject(asked, new InputFault(ErrorCode.MODEL_CHANGED, changed(given)));
      return;
    }
    decide(asked, request);
  }

  private static String changed(Decision given) {
    return given.redaction() == null
        ? "it was answered under spec " + given.specHash() + " before the job was restarted"
        : "it was answered before the job was restarted with another key or other"
            + " equipoise.privacy.sensitive-values, so that its features cannot be opened";
  }

  private void decide(Asked asked, Request request) {
    ContextEvent event = asked.event;
    @Nullable Decision given = asked.given;
    @Nullable InputFault failed = session.phases.closeDone(event.eventTime());
    if (failed != null) {
      reject(asked, failed);
      return;
    }
    StateTransitions transitions = session.transitions;
    Made made;
    try {
      made = transitions.decide(event.decisionId(), request, given);
    } catch (RefusedByPolicyException e) {
      reject(asked, e.fault());
      return;
    }
    AuditedChoice audited = made.audited();
    eventLog.decided(event, request, audited, asked.isAnswered());
    if (audited.choice().reason().isLearned()) {
      session.expiry.await(
          asked.id, transitions.decided(asked.id, event.eventTime(), asked.digest, request, made));
    } else {
      transitions.decidedNotLearnable(request, audited);
      markResolved(asked, request.candidates().get(audited.choice().arm()).id());
    }
    if (segmentContext.isSnapshotDue()) {
      eventLog.metrics(event.eventTime(), MetricsTrigger.COUNT);
    }
  }

  /** Rejects a context; it keeps the arm that an earlier writer epoch gave it, if any. */
  private void reject(Asked asked, InputFault fault) {
    eventLog.deadLetter(asked.event, fault);
    refuse(asked, DecisionReason.REJECTED, fault.code());
  }

  private void refuseAgain(Asked asked, Decision given) {
    if (given.reason() == DecisionReason.DEADLINE_EXCEEDED) {
      refuse(asked, DecisionReason.DEADLINE_EXCEEDED, ErrorCode.DEADLINE_EXCEEDED);
    } else {
      ErrorCode code = codeOf(given);
      eventLog.recoveredDeadLetter(
          asked.event, new InputFault(code, "it was refused before the job was restarted"));
      refuse(asked, DecisionReason.REJECTED, code);
    }
  }

  /** Returns the error code of a rejected context; MALFORMED for a code of a later version. */
  public static ErrorCode codeOf(Decision refused) {
    ErrorCode code = ErrorCode.of(refused.errorCode());
    return code == null ? ErrorCode.MALFORMED : code;
  }

  private void refuse(Asked asked, DecisionReason reason, ErrorCode code) {
    Decision given = asked.given;
    @Nullable String arm = given == null ? segmentContext.fallbackArm() : given.arm();
    eventLog.answered(asked.event, reason, arm, code, asked.isAnswered());
    segmentContext.head.ledgers.add(
        reason == DecisionReason.DEADLINE_EXCEEDED
            ? Account.CONTEXT_DEADLINE_EXCEEDED
            : Account.CONTEXT_REJECTED);
    markResolved(asked, arm);
  }

  private void markResolved(Asked asked, @Nullable String arm) {
    long forget = SegmentContext.plausibleTime(asked.event) + segmentContext.dedupMillis();
    int decided = arm == null ? Entry.DedupEntry.NO_ARM : segmentContext.head.find(arm);
    session.expiry.markResolved(
        asked.id,
        new Entry.DedupEntry(
            forget, 0, Entry.Resolution.NOT_LEARNABLE, asked.digest, decided, List.of()));
  }
}
