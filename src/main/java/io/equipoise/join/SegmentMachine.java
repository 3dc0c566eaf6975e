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
 *             usable? ── no ─> REJECTED with the fallback arm + dead letter; STALE
 *               │ yes
 *             choose, audit ─> DECIDED ─> awaiting ──────────────┐
 *                                            │ reward             │ timer
 *  reward ──> decision known? ── yes ────────┴─> APPLIED or       └─> EXPIRED or
 *               │ no                             COLLECTED            WINDOW_CLOSED
 *             held early until its context or the early horizon (ORPHAN)
 * </pre>
 *
 * <p>Holds no state of its own: everything is read from and put back to the given {@link
 * SegmentState}, and what came of an event is written to the {@link OutputLog} in order.
 */
public final class SegmentMachine {
  private final SpecBook book;
  private final PriorJudge judge;
  private final LongSupplier clock;
  private final Attempt attempt;

  /** Creates a machine without prior bounds. */
  public SegmentMachine(SpecBook book, LongSupplier clock, int attempt) {
    this(book, PriorBook.NONE, clock, attempt);
  }

  /**
   * Creates a machine.
   *
   * @param book the specs in force
   * @param priors the prior bounds at hand
   * @param clock the time, ms; read only to see whether a context's {@code answerBy} has passed
   * @param attempt the attempt that its records carry
   */
  public SegmentMachine(SpecBook book, PriorBook priors, LongSupplier clock, int attempt) {
    this(book, priors, clock, Attempt.numbered(attempt));
  }

  /** Creates a machine that owes something to attempts before it. */
  public SegmentMachine(SpecBook book, PriorBook priors, LongSupplier clock, Attempt attempt) {
    this.book = book;
    this.judge = new PriorJudge(priors);
    this.clock = clock;
    this.attempt = attempt;
  }

  /** Answers a context, unless it was answered before. */
  public void onContext(ContextEvent event, SegmentState state, OutputLog log) {
    if (UncoveredSegment.is(event.segment(), state, book)) {
      new UncoveredSegment(attempt, log).refuse(event);
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
    if (UncoveredSegment.is(event.segment(), state, book)) {
      new UncoveredSegment(attempt, log).refuse((Input) event);
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
    Turn turn = new Turn(segment, state, book, judge, log, attempt);
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
    new PriorAdoption(turn, new Changes(turn)).look(eventTime, log);
    return turn;
  }

  /** A retired spec does not bring its older versions back. */
  private static boolean isOlder(CompiledSpec selected, @Nullable CompiledSpec running) {
    return running != null
        && running.spec().name().equals(selected.spec().name())
        && running.spec().number() > selected.spec().number();
  }

  private static void adopt(Turn turn, CompiledSpec spec, OutputLog log, long eventTime) {
    Succession how = Succession.of(turn, spec);
    if (!how.isAllowed(spec)) {
      turn.head.refusedHash = spec.spec().hash();
      log.deadLetter(
          DeadLetter.undecodable(
              ErrorCode.SPEC_REFUSED,
              ("segment %s keeps spec %s: spec %s would change what its statistics or its arms"
                      + " mean, and only on-change: reset lets it")
                  .formatted(turn.segment, turn.head.specHash, spec.spec().hash()),
              new Origin("specs", 0, -1, Origin.NO_APPEND_TIME),
              spec.spec().name().getBytes(StandardCharsets.UTF_8),
              null)); // its text is on the topic once, not once a segment
      return;
    }
    new Adoption(turn, new Changes(turn)).adopt(spec, how, eventTime);
  }
}
