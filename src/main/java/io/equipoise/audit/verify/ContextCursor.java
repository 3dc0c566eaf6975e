package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the contexts of decisions. Contexts are answered nearly in the order in which they stand,
 * so they are read once, beside the decisions: held are those that were passed on the way and may
 * be asked for yet.
 *
 * <p>A segment answers the contexts of one partition in their order: one source reads a partition
 * in order, a context is answered when it arrives, and what goes on from a checkpoint goes on
 * behind the offsets of that. So of each decision that was passed, what the segment has there up to
 * its context will not be asked for: refused, repeated and dead-lettered contexts. Should a log say
 * otherwise, its record is read once more by itself, which is slow and never wrong.
 */
final class ContextCursor implements AutoCloseable {
  private static final long OVERHEAD_BYTES = 300;

  /** Larger ones are read again: most of them are refused for their size, and never asked for. */
  private static final int LARGEST_HELD_BYTES = 1 << 18;

  private final CommittedLog log;
  private final Predicate<String> isAsked;
  private final InputRecords inputs;
  private final Budget budget;
  private final Map<Place, Slice> slices = new HashMap<>();
  private final Map<Place, Long> passed = new HashMap<>();
  private final Map<String, Map<Place, Queue>> queues = new HashMap<>();
  private @Nullable LogReader reader;

  /** What one segment has in one partition. */
  private static final class Queue {
    private final NavigableMap<Long, LogRecord> held = new TreeMap<>();
    private long answeredTo = -1;
  }

  /**
   * Prepares to read.
   *
   * @param isAsked says of a segment whether more of its decisions may be asked about
   */
  ContextCursor(CommittedLog log, Predicate<String> isAsked, InputRecords inputs, Budget budget) {
    this.log = log;
    this.isAsked = isAsked;
    this.inputs = inputs;
    this.budget = budget;
    log.slices(LogTopic.CONTEXTS).forEach(slice -> slices.put(Place.of(slice), slice));
  }

  /**
   * Returns what stands at a decision's origin.
   *
   * @throws Budget.ExceededException if too many wait here
   */
  ContextAt take(Decision decision) {
    Place place = origin(decision);
    long offset = decision.contextOffset();
    Slice slice = slices.get(place);
    if (slice == null || offset < 0 || offset >= slice.reach()) {
      return new ContextAt.Missing("is no record that was read");
    }
    if (offset < slice.begin()) {
      return new ContextAt.Gone();
    }
    LogReader contexts = opened();
    while (passed.getOrDefault(place, Long.MAX_VALUE) < offset) {
      LogRecord at = contexts.next();
      if (at == null) {
        passed.clear();
      } else {
        passed.put(Place.of(at.slice()), at.offset());
        hold(at);
      }
    }
    LogRecord held = queue(decision.segment(), place).held.get(offset);
    LogRecord found = held == null ? inputs.at(slice, offset) : held;
    if (found == null) {
      return new ContextAt.Missing("holds no record");
    }
    return inputs.decode(found) instanceof ContextEvent context
        ? new ContextAt.Here(context)
        : new ContextAt.Missing("holds a record that cannot be read");
  }

  /** Lets go of what will not be asked for once a decision was passed. */
  void passed(Decision decision) {
    Queue queue = queue(decision.segment(), origin(decision));
    queue.answeredTo = Math.max(queue.answeredTo, decision.contextOffset());
    release(queue.held.headMap(decision.contextOffset(), true));
  }

  /** Lets go of all that a segment has, of which nothing more will be asked. */
  void ended(String segment) {
    Map<Place, Queue> ended = queues.remove(segment);
    if (ended != null) {
      for (Queue queue : ended.values()) {
        release(queue.held);
        budget.give(OVERHEAD_BYTES);
      }
    }
  }

  private void release(Map<Long, LogRecord> held) {
    held.values().forEach(at -> budget.give(bytes(at)));
    held.clear();
  }

  private static Place origin(Decision decision) {
    return new Place(String.valueOf(decision.contextTopic()), decision.contextPartition());
  }

  private Queue queue(String segment, Place place) {
    Map<Place, Queue> ofSegment = queues.computeIfAbsent(segment, name -> new HashMap<>());
    Queue queue = ofSegment.get(place);
    if (queue == null) {
      budget.take(OVERHEAD_BYTES);
      queue = new Queue();
      ofSegment.put(place, queue);
    }
    return queue;
  }

  private LogReader opened() {
    if (reader == null) {
      reader = log.read(log.slices(LogTopic.CONTEXTS));
      slices.forEach((place, slice) -> passed.put(place, slice.begin() - 1));
    }
    return reader;
  }

  private void hold(LogRecord at) {
    if (Payloads.value(at).length <= LARGEST_HELD_BYTES
        && inputs.decode(at) instanceof ContextEvent context
        && isAsked.test(context.segment())) {
      Queue queue = queue(context.segment(), Place.of(at.slice()));
      if (at.offset() > queue.answeredTo) {
        budget.take(bytes(at));
        queue.held.put(at.offset(), at);
      }
    }
  }

  private static long bytes(LogRecord at) {
    return OVERHEAD_BYTES + Payloads.value(at).length;
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
    }
  }
}
