package io.equipoise.join;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
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
  private final SpecBook book;
  private final BoundsValidator judge;
  private final LongSupplier clock;
  private final WriterEpoch writerEpoch;

  /** Creates a machine without causal bounds. */
  public SegmentMachine(SpecBook book, LongSupplier clock, int writerEpoch) {
    this(book, BoundsRegistry.NONE, clock, writerEpoch);
  }

  /**
   * Creates a machine.
   *
   * @param book the specs in force
   * @param causalBounds the causal bounds at hand
   * @param clock the time, ms; read only to see whether a context's {@code deadline} has passed
   * @param writerEpoch the attempt that its records carry
   */
  public SegmentMachine(
      SpecBook book, BoundsRegistry causalBounds, LongSupplier clock, int writerEpoch) {
    this(book, causalBounds, clock, WriterEpoch.numbered(writerEpoch));
  }

  /** Creates a machine that owes something to attempts before it. */
  public SegmentMachine(
      SpecBook book, BoundsRegistry causalBounds, LongSupplier clock, WriterEpoch writerEpoch) {
    this.book = book;
    this.judge = new BoundsValidator(causalBounds);
    this.clock = clock;
    this.writerEpoch = writerEpoch;
  }

  /** Answers a context, unless it was answered before. */
  public void onContext(ContextEvent event, SegmentState state, OutputLog log) {
    if (SegmentWithoutSpec.is(event.segment(), state, book)) {
      new SegmentWithoutSpec(writerEpoch, log).refuse(event);
      return;
    }
    Turn turn = open(event.segment(), state, log, event.eventTime());
    Changes changes = new Changes(turn);
    Closing closing = new Closing(turn, changes);
    new Deciding(turn, changes, new Settling(turn, changes, closing), closing)
        .onContext(event, clock.getAsLong());
    new Rest(turn, changes).seen(event);
    turn.close();
  }

  /** Settles a decision with a reward, or holds or refuses the reward. */
  public void onReward(RewardEvent event, SegmentState state, OutputLog log) {
    if (SegmentWithoutSpec.is(event.segment(), state, book)) {
      new SegmentWithoutSpec(writerEpoch, log).refuse((Input) event);
      return;
    }
    Turn turn = open(event.segment(), state, log, event.eventTime());
    Changes changes = new Changes(turn);
    turn.head.ledgers.add(new Settling(turn, changes, new Closing(turn, changes)).onReward(event));
    new Rest(turn, changes).seen(event);
    turn.close();
  }

  /** Ends what is due by {@code time} (ms of event time). */
  public void onTimer(long time, String segment, SegmentState state, OutputLog log) {
    if (state.head() == null) {
      return; // it rests, and the timer was set before
    }
    Turn turn = open(segment, state, log, time);
    Changes changes = new Changes(turn);
    new Closing(turn, changes).onTimer(time);
    new Rest(turn, changes).look(time);
    turn.close();
  }

  private Turn open(String segment, SegmentState state, OutputLog log, long eventTime) {
    Turn turn = new Turn(segment, state, book, judge, log, writerEpoch);
    Rest.ended(turn, eventTime);
    @Nullable CompiledSpec selected = book.select(segment);
    if (selected != null
        && !selected.spec().hash().equals(turn.head.specHash)
        && !selected.spec().hash().equals(turn.head.refusedHash)
        && !isOlder(selected, turn.spec)) {
      adopt(turn, selected, log, eventTime);
    }
    if (selected == null || turn.spec == null || isOlder(selected, turn.spec)) {
      new Phases(turn, new Changes(turn)).retire(eventTime);
    }
    new BoundsAdoption(turn, new Changes(turn)).look(eventTime, log);
    return turn;
  }

  /** A retired spec does not bring its older versions back. */
  private static boolean isOlder(CompiledSpec selected, @Nullable CompiledSpec running) {
    return running != null
        && running.spec().name().equals(selected.spec().name())
        && running.spec().version() > selected.spec().version();
  }

  private static void adopt(Turn turn, CompiledSpec spec, OutputLog log, long eventTime) {
    Succession how = Succession.of(turn, spec);
    if (!how.isAllowed(spec)) {
      turn.head.refusedHash = spec.spec().hash();
      log.deadLetter(
          DeadLetter.undecodable(
              ErrorCode.SPEC_REJECTED,
              ("segment %s keeps spec %s: spec %s would change what its statistics or its arms"
                      + " mean, and only on-incompatible-change: reset lets it")
                  .formatted(turn.segment, turn.head.specHash, spec.spec().hash()),
              new Origin("specs", 0, -1, Origin.NO_APPEND_TIME),
              spec.spec().name().getBytes(StandardCharsets.UTF_8),
              null)); // its text is on the topic once, not once a segment
      return;
    }
    new Adoption(turn, new Changes(turn)).adopt(spec, how, eventTime);
  }
}
