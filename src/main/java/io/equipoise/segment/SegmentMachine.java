package io.equipoise.segment;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.IdHash;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.segment.log.EventLogWriter;
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
import io.equipoise.segment.upgrade.SpecCompatibility;
import io.equipoise.segment.upgrade.SpecUpgrade;
import java.nio.charset.StandardCharsets;
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
 * <p>Holds no state of its own: everything is read from and put back to the given {@link
 * SegmentState}, and what came of an event is written to the {@link OutputLog} in order.
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
   * @param writerEpoch the attempt that its records carry
   */
  public SegmentMachine(
      SpecRegistry book, BoundsRegistry causalBounds, LongSupplier clock, int writerEpoch) {
    this(book, causalBounds, clock, WriterEpoch.numbered(writerEpoch));
  }

  /** Creates a machine that owes something to attempts before it. */
  public SegmentMachine(
      SpecRegistry book, BoundsRegistry causalBounds, LongSupplier clock, WriterEpoch writerEpoch) {
    this.book = book;
    this.check = new BoundsValidator(causalBounds);
    this.clock = clock;
    this.writerEpoch = writerEpoch;
  }

  /** Answers a context, unless it was answered before. */
  public void onContext(ContextEvent event, SegmentState state, OutputLog log) {
    @Nullable Decision taken = writerEpoch.given().take(event);
    @Nullable Decision given = taken != null && isDecided(state, event.decisionId()) ? null : taken;
    @Nullable CompiledSpec selected = selected(event.segment(), state, given);
    if (isRefused(event, selected, given, state, log)) {
      return;
    }
    SegmentContext segmentContext = new SegmentContext(event.segment(), state, book, check);
    EventLogWriter eventLog = new EventLogWriter(segmentContext, log, writerEpoch);
    SegmentHandlers handlers = new SegmentHandlers(segmentContext, eventLog);
    open(segmentContext, selected, handlers, log, event.eventTime());
    new ContextHandler(
            segmentContext,
            handlers.transitions,
            handlers.rewards,
            handlers.expiry,
            handlers.phases,
            eventLog)
        .onContext(event, given, clock.getAsLong());
    handlers.passivation.seen(event);
    close(segmentContext, log);
  }

  /** Settles a decision with a reward, or holds or refuses the reward. */
  public void onReward(RewardEvent event, SegmentState state, OutputLog log) {
    @Nullable CompiledSpec selected = selected(event.segment(), state, null);
    if (isRefused(event, selected, null, state, log)) {
      return;
    }
    SegmentContext segmentContext = new SegmentContext(event.segment(), state, book, check);
    SegmentHandlers handlers = handlers(segmentContext, log);
    open(segmentContext, selected, handlers, log, event.eventTime());
    segmentContext.head.ledgers.add(handlers.rewards.onReward(event));
    handlers.passivation.seen(event);
    close(segmentContext, log);
  }

  /** Refuses an input of a segment without state that gets none. */
  private boolean isRefused(
      Input event,
      @Nullable CompiledSpec selected,
      @Nullable Decision given,
      SegmentState state,
      OutputLog log) {
    @Nullable InputFault reason = null;
    if (SegmentWithoutSpec.is(selected, state)) {
      reason = SegmentWithoutSpec.fault(event.segment());
    } else if (state.head() == null && state.stub() == null) {
      reason = state.refusal();
    }
    if (reason == null) {
      return false;
    }
    new SegmentWithoutSpec(writerEpoch, log).refuse(event, reason, given);
    return true;
  }

  /** Ends what is due by {@code time} (ms of event time). */
  public void onTimer(long time, String segment, SegmentState state, OutputLog log) {
    if (state.head() == null) {
      return; // it rests, and the timer was set before
    }
    SegmentContext segmentContext = new SegmentContext(segment, state, book, check);
    SegmentHandlers handlers = handlers(segmentContext, log);
    open(segmentContext, selected(segment, state, null), handlers, log, time);
    handlers.expiry.onTimer(time);
    handlers.passivation.look(time);
    close(segmentContext, log);
  }

  private static void close(SegmentContext segmentContext, OutputLog log) {
    segmentContext.close();
    segmentContext.policyFailures.forEach(log::policyFailed);
  }

  private SegmentHandlers handlers(SegmentContext segmentContext, OutputLog log) {
    return new SegmentHandlers(
        segmentContext, new EventLogWriter(segmentContext, log, writerEpoch));
  }

  /**
   * Returns the spec that a segment should run under, null if there is none: the newest that covers
   * it, unless answers of an earlier attempt wait for their contexts. Replay then follows the order
   * of history. A context with such an answer runs under the spec that the answer names. Until the
   * next such context the segment keeps its spec, also if that spec is not known any more or is
   * older; without one, it starts with the spec that the next answer names, or the newest.
   *
   * @param given the answer that the event's context was given, null where there is none
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
    if (running != null && (given == null || named == null || isOlder(named, running))) {
      return running;
    }
    return named == null ? book.select(segment) : named;
  }

  private static boolean isDecided(SegmentState state, String decisionId) {
    Entry known = state.entry(IdHash.of(decisionId));
    return known != null && !(known instanceof Entry.EarlyRewards);
  }

  /** Takes up the given spec and the newest causal bounds, before anything else happens. */
  private void open(
      SegmentContext segmentContext,
      @Nullable CompiledSpec selected,
      SegmentHandlers handlers,
      OutputLog log,
      long eventTime) {
    handlers.passivation.ended(eventTime);
    if (selected != null
        && !selected.spec().hash().equals(segmentContext.head.specHash)
        && !selected.spec().hash().equals(segmentContext.head.refusedHash)
        && !isOlder(selected, segmentContext.spec)) {
      adopt(segmentContext, handlers.upgrade, selected, log, eventTime);
    }
    if (selected == null || segmentContext.spec == null || isOlder(selected, segmentContext.spec)) {
      handlers.phases.retire(eventTime);
    }
    handlers.bounds.look(eventTime, log);
  }

  /** A retired spec does not bring its older versions back. */
  private static boolean isOlder(CompiledSpec selected, @Nullable CompiledSpec running) {
    return running != null
        && running.spec().name().equals(selected.spec().name())
        && running.spec().version() > selected.spec().version();
  }

  private static void adopt(
      SegmentContext segmentContext,
      SpecUpgrade upgrade,
      CompiledSpec spec,
      OutputLog log,
      long eventTime) {
    SpecCompatibility how = SpecCompatibility.of(segmentContext, spec);
    if (how instanceof SpecCompatibility.Incompatible incompatible && !how.isAllowed(spec)) {
      segmentContext.head.refusedHash = spec.spec().hash();
      log.deadLetter(
          DeadLetter.undecodable(
              ErrorCode.SPEC_REJECTED,
              ("segment %s keeps spec %s and what it learned; spec %s does not take over: %s. To"
                      + " start model and audit empty, set on-incompatible-change: reset")
                  .formatted(
                      segmentContext.segment,
                      segmentContext.head.specHash,
                      spec.spec().hash(),
                      incompatible.reason()),
              new Origin("specs", 0, -1, Origin.NO_APPEND_TIME),
              spec.spec().key().getBytes(StandardCharsets.UTF_8),
              null)); // its text is on the topic once, not once a segment
      return;
    }
    upgrade.adopt(spec, how, eventTime);
  }
}
