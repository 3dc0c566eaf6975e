package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
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
  private final MemoryBudget memoryBudget;
  private final Map<RecordPlace, OffsetRange> slices = new HashMap<>();
  private final Map<RecordPlace, Long> passed = new HashMap<>();
  private final Map<String, Map<RecordPlace, Queue>> queues = new HashMap<>();
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
  ContextCursor(
      CommittedLog log, Predicate<String> isAsked, InputRecords inputs, MemoryBudget memoryBudget) {
    this.log = log;
    this.isAsked = isAsked;
    this.inputs = inputs;
    this.memoryBudget = memoryBudget;
    log.slices(LogTopic.CONTEXTS)
        .forEach(offsetRange -> slices.put(RecordPlace.of(offsetRange), offsetRange));
  }

  /**
   * Returns what stands at a decision's origin.
   *
   * @throws MemoryBudget.ExceededException if too many wait here
   */
  ContextAt take(Decision decision) {
    RecordPlace recordPlace = origin(decision);
    long offset = decision.contextOffset();
    OffsetRange offsetRange = slices.get(recordPlace);
    if (offsetRange == null || offset < 0 || offset >= offsetRange.reach()) {
      return new ContextAt.Missing("is no record that was read");
    }
    if (offset < offsetRange.begin()) {
      return new ContextAt.Gone();
    }
    LogReader contexts = opened();
    while (passed.getOrDefault(recordPlace, Long.MAX_VALUE) < offset) {
      LogRecord at = contexts.next();
      if (at == null) {
        passed.clear();
      } else {
        passed.put(RecordPlace.of(at.slice()), at.offset());
        hold(at);
      }
    }
    LogRecord held = queue(decision.segment(), recordPlace).held.get(offset);
    LogRecord found = held == null ? inputs.at(offsetRange, offset) : held;
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
    Map<RecordPlace, Queue> ended = queues.remove(segment);
    if (ended != null) {
      for (Queue queue : ended.values()) {
        release(queue.held);
        memoryBudget.release(OVERHEAD_BYTES);
      }
    }
  }

  private void release(Map<Long, LogRecord> held) {
    held.values().forEach(at -> memoryBudget.release(bytes(at)));
    held.clear();
  }

  private static RecordPlace origin(Decision decision) {
    return new RecordPlace(String.valueOf(decision.contextTopic()), decision.contextPartition());
  }

  private Queue queue(String segment, RecordPlace recordPlace) {
    Map<RecordPlace, Queue> ofSegment = queues.computeIfAbsent(segment, name -> new HashMap<>());
    Queue queue = ofSegment.get(recordPlace);
    if (queue == null) {
      memoryBudget.reserve(OVERHEAD_BYTES);
      queue = new Queue();
      ofSegment.put(recordPlace, queue);
    }
    return queue;
  }

  private LogReader opened() {
    if (reader == null) {
      reader = log.read(log.slices(LogTopic.CONTEXTS));
      slices.forEach(
          (recordPlace, offsetRange) -> passed.put(recordPlace, offsetRange.begin() - 1));
    }
    return reader;
  }

  private void hold(LogRecord at) {
    if (Payloads.value(at).length <= LARGEST_HELD_BYTES
        && inputs.decode(at) instanceof ContextEvent context
        && isAsked.test(context.segment())) {
      Queue queue = queue(context.segment(), RecordPlace.of(at.slice()));
      if (at.offset() > queue.answeredTo) {
        memoryBudget.reserve(bytes(at));
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
