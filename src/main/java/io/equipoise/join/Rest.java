package io.equipoise.join;

import io.equipoise.event.Input;
import io.equipoise.event.SegmentEventType;
import io.equipoise.spec.IdleStateSpec;
import io.equipoise.spec.IdleStateSpec.Retain;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a segment that gets no input: by its spec's rule it gives up its state but for a
 * {@link SegmentStub}, and takes it up again with the next input. Both are logged changes with the
 * next {@code seq}: SEGMENT_PASSIVATED and SEGMENT_ACTIVATED.
 *
 * <p>A segment rests only when nothing of a decision or reward is remembered any more and no
 * experiment runs, so rest changes neither what repetitions are nor which rewards are late. While
 * it rests it has no timers.
 */
final class Rest {
  private final Turn turn;
  private final SegmentHead head;
  private final Changes changes;

  Rest(Turn turn, Changes changes) {
    this.turn = turn;
    this.head = turn.head;
    this.changes = changes;
  }

  /** Ends a rest: puts head and model back, and returns the head. */
  static SegmentHead end(SegmentStub stub, SegmentState state) {
    SegmentHead head =
        stub.retain() == Retain.MODEL ? state.unpack(stub.bytes()) : stub.emptyHead();
    state.putStub(null);
    return head;
  }

  /** Writes that the segment rests no more, if it did when the turn began. */
  static void ended(Turn turn, long eventTime) {
    if (turn.revived != null) {
      turn.journal.write(
          turn.journal
              .segmentEvent(SegmentEventType.SEGMENT_ACTIVATED, eventTime)
              .modelRetained(turn.revived == Retain.MODEL));
    }
  }

  /** Takes note of an input, from which the time of the rule counts. */
  void seen(Input input) {
    head.lastInput = Math.max(head.lastInput, Turn.plausibleTime(input));
    lookLater();
  }

  /** Rests if event time has come to where the rule says so. */
  void look(long time) {
    head.lastInput = head.lastInput == SegmentHead.NEVER ? time : head.lastInput; // of old state
    if (head.idleLook > time) {
      lookLater();
      return;
    }
    head.idleLook = SegmentHead.NO_LOOK;
    IdleStateSpec rule = rule();
    if (rule == null || changes.running() != null) {
      return; // the next input looks again
    }
    long due = head.lastInput + rule.after().toMillis();
    if (due > time || isAnythingRemembered()) {
      lookLater();
      return;
    }
    begin(rule.retain(), due);
  }

  /** Writes that the segment rests from {@code due} on, and gives up its state. */
  void begin(Retain keep, long due) {
    turn.journal.write(
        turn.journal
            .segmentEvent(SegmentEventType.SEGMENT_PASSIVATED, due)
            .modelRetained(keep == Retain.MODEL));
    SegmentStub stub =
        keep == Retain.MODEL
            ? new SegmentStub(keep, turn.state.pack(head))
            : SegmentStub.emptied(head);
    turn.state.clearBlocks();
    turn.rest(stub);
  }

  /** Returns the rule that the segment is under, or null. */
  @Nullable IdleStateSpec rule() {
    CompiledSpec spec = turn.spec;
    return spec == null ? null : spec.spec().idleState();
  }

  private void lookLater() {
    IdleStateSpec rule = rule();
    if (rule == null) {
      return;
    }
    long due = head.lastInput + rule.after().toMillis();
    for (Agenda.Queue queue : Agenda.Queue.values()) {
      due = head.bucketsOf(queue).isEmpty() ? due : Math.max(due, head.bucketsOf(queue).lastKey());
    }
    long look = Agenda.bucketOf(due, turn.bucketMillis());
    if (look < head.idleLook) {
      head.idleLook = look;
      turn.state.wakeAt(look);
    }
  }

  private boolean isAnythingRemembered() {
    boolean isAgendaEmpty = true;
    for (Agenda.Queue queue : Agenda.Queue.values()) {
      isAgendaEmpty &= head.bucketsOf(queue).isEmpty();
    }
    return !isAgendaEmpty || head.pending > 0 || head.early > 0 || head.tombstones > 0;
  }
}
