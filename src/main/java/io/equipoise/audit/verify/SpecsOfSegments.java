package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Collects the specs that segments ever had, in any writer epoch: those that their segment events
 * and decisions name. Unknown if retention removed segment events.
 */
final class SpecsOfSegments {
  /** Memory per segment, and per spec of a segment, in bytes. */
  private static final long BYTES = 250;

  private final MemoryBudget memoryBudget;
  private final Map<String, Set<String>> hashes = new HashMap<>();
  private boolean isWhole;

  SpecsOfSegments(MemoryBudget memoryBudget) {
    this.memoryBudget = memoryBudget;
  }

  /**
   * Registers a segment.
   *
   * @throws MemoryBudget.ExceededException if memory does not suffice
   */
  void ask(String segment) {
    if (!hashes.containsKey(segment)) {
      memoryBudget.reserve(BYTES);
      hashes.put(segment, new TreeSet<>());
    }
  }

  /** Reads decisions and segment events, unless no segment is registered. */
  void read(CommittedLog log) {
    isWhole = Sequences.isWhole(log, LogTopic.SEGMENT_EVENTS);
    if (hashes.isEmpty() || !isWhole) {
      return;
    }
    log.forEach(Sequences.slices(log), this::take);
  }

  private void take(LogRecord at) {
    Set<String> ofSegment =
        at.key() == null ? null : hashes.get(new String(at.key(), StandardCharsets.UTF_8));
    String hash = ofSegment == null ? null : specHash(at);
    if (ofSegment != null && hash != null && ofSegment.add(hash)) {
      memoryBudget.reserve(BYTES);
    }
  }

  private static @Nullable String specHash(LogRecord at) {
    byte[] value = Payloads.value(at);
    try {
      if (at.slice().topic() == LogTopic.SEGMENT_EVENTS) {
        SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(value);
        return segmentEvent.specHash();
      }
      Decision decision = at.isMarker() ? null : Wire.DECISION.decode(value);
      return decision == null ? null : decision.specHash();
    } catch (WireException e) {
      return null; // I4 reports it
    }
  }

  /** Returns the hashes of a segment's specs, or null if they are unknown. */
  @Nullable Set<String> of(String segment) {
    return isWhole ? hashes.get(segment) : null;
  }
}
