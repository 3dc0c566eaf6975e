package io.equipoise.join;

import io.equipoise.bandit.Draw;
import io.equipoise.event.Input;
import io.equipoise.event.Origin;
import org.jspecify.annotations.Nullable;

/**
 * One segment while one event or timer is at work on it: its state, the spec it runs under and the
 * journal that numbers what comes of it.
 */
final class Turn {
  /** Memory bound and horizons of a segment that no spec covers. */
  static final long UNCOVERED_HORIZON_MILLIS = 30 * 60_000L;

  static final long UNCOVERED_BUCKET_MILLIS = 60_000L;
  static final int UNCOVERED_MAX_ENTRIES = 10_000;

  final String segment;
  final SegmentState state;
  final SegmentHead head;
  final Agenda pending;
  final Agenda tombstones;
  final Journal journal;
  final SpecBook book;

  /** The spec adopted, or null where none covers the segment. */
  @Nullable CompiledSpec spec;

  Turn(String segment, SegmentState state, SpecBook book, OutputLog log, int attempt) {
    this.segment = segment;
    this.state = state;
    this.book = book;
    SegmentHead stored = state.head();
    this.head = stored == null ? new SegmentHead() : stored;
    this.pending = agenda(Agenda.Queue.PENDING);
    this.tombstones = agenda(Agenda.Queue.TOMBSTONES);
    this.journal = new Journal(this, log, attempt);
    this.spec = head.specHash == null ? null : book.byHash(head.specHash);
  }

  /** Returns the spec, which the caller knows to be there. */
  CompiledSpec requireSpec() {
    if (spec == null) {
      throw new IllegalStateException("segment " + segment + " has no spec");
    }
    return spec;
  }

  Draw draw(String decisionId) {
    return new Draw(requireSpec().spec().seed(), segment, decisionId);
  }

  long dedupMillis() {
    return spec == null
        ? UNCOVERED_HORIZON_MILLIS
        : spec.windowMillis() + spec.spec().join().dedupHorizon().toMillis();
  }

  long earlyMillis() {
    return spec == null ? UNCOVERED_HORIZON_MILLIS : spec.spec().join().earlyHorizon().toMillis();
  }

  long bucketMillis() {
    return spec == null ? UNCOVERED_BUCKET_MILLIS : spec.bucketMillis();
  }

  int maxEntries() {
    return spec == null ? UNCOVERED_MAX_ENTRIES : spec.spec().join().maxEntries();
  }

  /** Returns an input's event time, or when it was appended: the future must not be waited for. */
  static long plausibleTime(Input input) {
    long appended = input.origin().appendTime();
    return appended == Origin.NO_APPEND_TIME
        ? input.eventTime()
        : Math.min(input.eventTime(), appended);
  }

  private Agenda agenda(Agenda.Queue queue) {
    return new Agenda(queue, state, head.bucketsOf(queue));
  }

  void close() {
    state.putHead(head);
  }
}
