package io.equipoise.segment;

import static java.util.Objects.requireNonNull;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.RewardEvent;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.BoundsValidator;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SegmentState;
import io.equipoise.segment.state.SpecRegistry;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Joins, decides, learns and audits: the pure core of the streaming job.
 *
 * <pre>
 *  context ─> known id? ── duplicate, conflict ─> dead letter
 *               │ no
 *             usable? ── no ─> REJECTED with the fallback arm + dead letter; DEADLINE_EXCEEDED
 *               │ yes
 *             choose, audit ─> DECIDED ─> awaiting ──────────────┐
 *                                            │ reward             │ timer
 *  reward ──> decision known? ── yes ────────┴─> REWARD_APPLIED or       └─> REWARD_TIMEOUT or
 *               │ no                             REWARD_BUFFERED            WINDOW_CLOSED
 *             held early until its context or the early horizon (ORPHAN)
 * </pre>
 *
 * <p>Holds no state of its own. Each call reads the given {@link SegmentState}, writes it back, and
 * writes the event's records to the {@link OutputLog} in order. The fields are configuration and do
 * not change; the registry and the recovered decisions behind them do.
 */
public final class SegmentMachine {
  private final SpecRegistry book;
  private final BoundsValidator check;
  private final LongSupplier clock;
  private final WriterEpoch writerEpoch;

  /** Creates a machine without causal bounds. */
  public SegmentMachine(SpecRegistry book, LongSupplier clock, int writerEpoch) {
    this(book, BoundsRegistry.NONE, clock, writerEpoch);
  }

  /**
   * Creates a machine.
   *
   * @param book the specs in force
   * @param causalBounds the causal bounds that are known
   * @param clock the time, ms; read only to see whether a context's {@code deadline} has passed
   * @param writerEpoch the number of the writer epoch that its records carry
   */
  public SegmentMachine(
      SpecRegistry book, BoundsRegistry causalBounds, LongSupplier clock, int writerEpoch) {
    this(book, causalBounds, clock, WriterEpoch.numbered(writerEpoch));
  }

  /** Creates a machine that re-applies the published decisions of earlier writer epochs. */
  public SegmentMachine(
      SpecRegistry book, BoundsRegistry causalBounds, LongSupplier clock, WriterEpoch writerEpoch) {
    this.book = book;
    this.check = new BoundsValidator(causalBounds);
    this.clock = clock;
    this.writerEpoch = writerEpoch;
  }

  /** Decides on a context; a repeated context gets the arm of its first decision. */
  public void onContext(ContextEvent event, SegmentState state, OutputLog log) {
    @Nullable Decision taken = writerEpoch.given().take(event);
    @Nullable Decision given =
        taken != null && isDecided(state, event.decisionId()) && !isOther(event, taken, state)
            ? null
            : taken;
    @Nullable CompiledSpec selected = selected(event.segment(), state, given);
    if (isRefused(event, selected, given, state, log)) {
      return;
    }
    SegmentSession session = session(event.segment(), state, log);
    session.open(selected, event.eventTime());
    session.contexts.onContext(event, given, clock.getAsLong());
    session.passivation.seen(event);
    session.close();
  }

  /**
   * Applies a reward to its decision, buffers it, holds it until its context arrives, or rejects
   * it.
   */
  public void onReward(RewardEvent event, SegmentState state, OutputLog log) {
    @Nullable CompiledSpec selected = selected(event.segment(), state, null);
    if (isRefused(event, selected, null, state, log)) {
      return;
    }
    SegmentSession session = session(event.segment(), state, log);
    session.open(selected, event.eventTime());
    session.segmentContext.head.ledgers.add(session.rewards.onReward(event));
    session.passivation.seen(event);
    session.close();
  }

  /** Rejects an input whose segment has no state and may not get any. */
  private boolean isRefused(
      Input event,
      @Nullable CompiledSpec selected,
      @Nullable Decision given,
      SegmentState state,
      OutputLog log) {
    @Nullable InputFault reason = null;
    if (SegmentWithoutSpec.is(selected, state)) {
      reason = SegmentWithoutSpec.fault(event.segment());
    } else if (state.head() == null
        && state.passivated() == null
        && !hadState(event.segment(), given)) {
      reason = state.refusal();
    }
    if (reason == null) {
      return false;
    }
    new SegmentWithoutSpec(writerEpoch, log).refuse(event, reason, given);
    return true;
  }

  /**
   * Returns whether an earlier writer epoch gave the segment state: it decided on the event, or a
   * recovered decision waits for its context. There was room then; the segments that had left since
   * may be back in the restored state.
   */
  private boolean hadState(String segment, @Nullable Decision given) {
    return given == null
        ? writerEpoch.given().next(segment, id -> false) != null
        : given.seq() != SegmentWithoutSpec.UNNUMBERED;
  }

  /** Ends what is due by {@code time} (ms of event time). */
  public void onTimer(long time, String segment, SegmentState state, OutputLog log) {
    if (state.head() == null) {
      return; // passivated; the timer was set before
    }
    SegmentSession session = session(segment, state, log);
    session.open(selected(segment, state, null), time);
    session.expiry.onTimer(time);
    session.passivation.look(time);
    session.close();
  }

  private SegmentSession session(String segment, SegmentState state, OutputLog log) {
    return new SegmentSession(new SegmentContext(segment, state, book, check), log, writerEpoch);
  }

  /**
   * Returns the spec that a segment should run under, null if there is none: the newest that covers
   * it, unless recovered decisions of an earlier writer epoch wait for their contexts. Replay then
   * follows the order of history. A context with such a decision runs under the spec that the
   * decision names. Until the next such context the segment keeps its spec, even if that spec is
   * older or no longer known. A segment without a spec starts with the one that the next recovered
   * decision names, or the newest.
   *
   * @param given the recovered decision on the event's context, null if there is none
   */
  private @Nullable CompiledSpec selected(
      String segment, SegmentState state, @Nullable Decision given) {
    Decision next =
        given == null ? writerEpoch.given().next(segment, id -> isDecided(state, id)) : given;
    if (next == null) {
      return book.select(segment);
    }
    SegmentHeader head = state.head();
    CompiledSpec running =
        head == null || head.specHash == null ? null : book.byHash(head.specHash);
    CompiledSpec named = next.specHash() == null ? null : book.byHash(next.specHash());
    if (running != null
        && (given == null || named == null || SegmentSession.isOlder(named, running))) {
      return running;
    }
    return named == null ? book.select(segment) : named;
  }

  /**
   * Returns whether the decision that the state knows by the id of a context is an earlier one than
   * the recovered decision on the context. Then the state had forgotten the id when that was made,
   * and must forget it again: the order of contexts, rewards and timers can be another one now.
   */
  private static boolean isOther(ContextEvent event, Decision taken, SegmentState state) {
    return event.origin().source().equals(taken.source())
        && !Objects.equals(
            taken.arm(),
            ContextHandler.armOf(
                requireNonNull(state.entry(IdHash.of(event.decisionId()))),
                requireNonNull(state.head())));
  }

  private static boolean isDecided(SegmentState state, String decisionId) {
    Entry known = state.entry(IdHash.of(decisionId));
    return known != null && !(known instanceof Entry.EarlyRewards);
  }
}
