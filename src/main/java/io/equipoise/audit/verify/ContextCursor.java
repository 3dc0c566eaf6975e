package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the contexts of decisions. Decisions follow nearly the order of their contexts, so the
 * contexts are read once, beside the decisions. The cursor keeps contexts that it has passed and
 * that a decision may still name. State, for one thread: the reader, the last offset that it has
 * passed of each partition, and the kept contexts by segment and partition.
 *
 * <p>A segment decides the contexts of one partition in order: one source reads a partition in
 * order, a context gets its decision on arrival, and a restart continues after the offsets of its
 * checkpoint. So after a decision, no earlier context of its segment and partition is needed. If a
 * log differs, the record is read again, with those after it.
 */
final class ContextCursor implements AutoCloseable {
  private static final long OVERHEAD_BYTES = 300;

  /** Larger records are read again on demand; most of them were rejected for their size. */
  private static final int LARGEST_HELD_BYTES = 1 << 18;

  private final CommittedLog log;
  private final Predicate<String> isAsked;
  private final InputRecords inputs;
  private final MemoryBudget memoryBudget;
  private final Map<RecordPlace, OffsetRange> slices = new HashMap<>();
  private final Map<RecordPlace, Long> passed = new HashMap<>();
  private final Map<String, Map<RecordPlace, Queue>> queues = new HashMap<>();
  private @Nullable LogReader reader;

  /**
   * Keeps the contexts of one segment in one partition after the offset {@code answeredTo}, the
   * last one that a decision has named.
   */
  private static final class Queue {
    private final NavigableMap<Long, LogRecord> held = new TreeMap<>();
    private long answeredTo = -1;
  }

  /**
   * Prepares to read.
   *
   * @param isAsked whether more decisions of a segment may be looked up
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
   * Returns the record at a decision's origin.
   *
   * @throws MemoryBudget.ExceededException if the kept contexts exceed the memory budget
   */
  ContextAt take(Decision decision) {
    RecordPlace recordPlace = origin(decision);
    long offset = decision.source().offset();
    OffsetRange offsetRange = slices.get(recordPlace);
    if (offsetRange == null || offset < 0 || offset >= offsetRange.reach()) {
      return new ContextAt.Missing("is no offset of the log");
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
        keep(at);
      }
    }
    LogRecord held = queue(decision.segment(), recordPlace).held.get(offset);
    LogRecord found = held == null ? inputs.at(offsetRange, offset) : held;
    if (found == null) {
      return new ContextAt.Missing("has no record");
    }
    return inputs.decode(found) instanceof ContextEvent context
        ? new ContextAt.Here(context)
        : new ContextAt.Missing("has a record that cannot be decoded");
  }

  /** Releases the contexts that are not needed after a decision. */
  void passed(Decision decision) {
    Queue queue = queue(decision.segment(), origin(decision));
    queue.answeredTo = Math.max(queue.answeredTo, decision.source().offset());
    release(queue.held.headMap(decision.source().offset(), true));
  }

  /** Releases all contexts of a segment; no more decisions of it are looked up. */
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
    return RecordPlace.of(decision.source());
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

  private void keep(LogRecord at) {
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
