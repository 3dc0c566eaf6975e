package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.job.control.RawControl;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges I7 for the control topics: every spec and every row of causal bounds that cannot be used
 * is in the dead letter, with its bytes and its origin. It may be there more than once: a job that
 * is started anew reads those topics from their beginning and refuses it again. What compaction has
 * removed is not judged.
 *
 * <p>Of a job that runs, judged are those before which a letter says that the job has read on.
 */
final class ControlDeadLetters {
  private final List<RawControl> refused;
  private final FindingsCollector findingsCollector;
  private final boolean isFinal;
  private final DeadLetterOpener opener;
  private final Map<RecordPlace, Map<Long, RawControl>> byPlace = new HashMap<>();
  private final Map<RecordPlace, Long> read = new HashMap<>();
  private final Set<RawControl> told = new HashSet<>();

  ControlDeadLetters(
      List<RawControl> refused,
      FindingsCollector findingsCollector,
      boolean isFinal,
      DeadLetterOpener opener) {
    this.refused = refused;
    this.findingsCollector = findingsCollector;
    this.isFinal = isFinal;
    this.opener = opener;
    for (RawControl one : refused) {
      byPlace.computeIfAbsent(place(one), any -> new HashMap<>()).put(one.offset(), one);
    }
  }

  /**
   * Judges; reads the dead letters once, unless nothing was refused.
   *
   * @param keptFrom the timestamp from which on no dead letter was removed
   */
  void check(CommittedLog log, long keptFrom) {
    if (refused.isEmpty()) {
      return;
    }
    try (LogReader reader = log.read(log.slices(LogTopic.DEAD_LETTER))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        take(at);
      }
    }
    for (RawControl one : refused) {
      boolean isRead = isFinal || one.offset() < read.getOrDefault(place(one), 0L);
      if (told.contains(one)) {
        findingsCollector.judged(Invariant.I7);
      } else if (isRead && one.appendTime() >= keptFrom) {
        findingsCollector.judged(Invariant.I7);
        findingsCollector.violated(
            Invariant.I7, one.place(), "it cannot be used and is in no dead letter");
      }
    }
  }

  private void take(LogRecord at) {
    DeadLetter letter;
    try {
      letter = Wire.DEAD_LETTER.decode(Payloads.value(at));
    } catch (WireException e) {
      return; // told by those who judge the inputs
    }
    RecordPlace origin = new RecordPlace(letter.topic(), letter.partition());
    Map<Long, RawControl> there = byPlace.get(origin);
    if (there == null) {
      return;
    }
    if (at.isChecked()) {
      read.merge(origin, letter.offset() + 1, Math::max);
    }
    @Nullable RawControl one = there.get(letter.offset());
    if (one == null) {
      return; // compaction has removed it
    }
    told.add(one);
    DeadLetter opened = opener.open(letter, one.place(), at);
    if (opened != null && !holds(opened, one)) {
      findingsCollector.violated(
          Invariant.I7, one.place(), "its dead letter at " + at.place() + " holds other bytes");
    }
  }

  private static boolean holds(DeadLetter letter, RawControl one) {
    return letter.truncated() == null
        ? Payloads.digest(letter.key(), letter.value()) == Payloads.digest(one.key(), one.value())
        : TruncatedDeadLetter.isOf(letter, one.key(), one.value());
  }

  private static RecordPlace place(RawControl one) {
    return new RecordPlace(one.topic(), one.partition());
  }
}
