package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.job.control.RawControl;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks I7 for the control topics: every invalid spec and every invalid row of causal bounds has a
 * dead letter with its bytes and its origin. It may have several, because a restarted job reads
 * those topics from the beginning. Records that compaction removed are not checked.
 *
 * <p>While the job runs, only records before the last one that a dead letter names are checked.
 */
final class ControlDeadLetters {
  private final List<RawControl> refused;
  private final FindingsCollector findings;
  private final boolean isFinal;
  private final DeadLetterOpener opener;
  private final Map<RecordPlace, Map<Long, RawControl>> byPlace = new HashMap<>();
  private final Map<RecordPlace, Long> read = new HashMap<>();
  private final Set<RawControl> reported = new HashSet<>();

  ControlDeadLetters(
      List<RawControl> refused,
      FindingsCollector findings,
      boolean isFinal,
      DeadLetterOpener opener) {
    this.refused = refused;
    this.findings = findings;
    this.isFinal = isFinal;
    this.opener = opener;
    for (RawControl one : refused) {
      byPlace.computeIfAbsent(place(one), any -> new HashMap<>()).put(one.offset(), one);
    }
  }

  /**
   * Runs the check; reads the dead letters once, or not at all if no control record is invalid.
   *
   * @param keptFrom the timestamp from which on no dead letter was removed
   */
  void check(CommittedLog log, long keptFrom) {
    if (refused.isEmpty()) {
      return;
    }
    DeadLetterOpener.read(log, this::take);
    for (RawControl one : refused) {
      boolean isRead = isFinal || one.offset() < read.getOrDefault(place(one), 0L);
      if (reported.contains(one)) {
        findings.checked(Invariant.I7);
      } else if (isRead && one.appendTime() >= keptFrom) {
        findings.checked(Invariant.I7);
        findings.violated(Invariant.I7, one.place(), "it is invalid and has no dead letter");
      }
    }
  }

  private void take(LogRecord at, DeadLetter deadLetter) {
    RecordPlace origin = RecordPlace.of(deadLetter.source());
    Map<Long, RawControl> there = byPlace.get(origin);
    if (there == null) {
      return;
    }
    if (at.isChecked()) {
      read.merge(origin, deadLetter.source().offset() + 1, Math::max);
    }
    @Nullable RawControl one = there.get(deadLetter.source().offset());
    if (one == null) {
      return; // compaction has removed it
    }
    reported.add(one);
    DeadLetter opened = opener.open(deadLetter, one.place(), at);
    if (opened != null && !hasBytesOf(opened, one)) {
      findings.violated(
          Invariant.I7, one.place(), "its dead letter at " + at.place() + " contains other bytes");
    }
  }

  private static boolean hasBytesOf(DeadLetter deadLetter, RawControl one) {
    return deadLetter.input().truncated() == null
        ? Payloads.digest(deadLetter.input().key(), deadLetter.input().value())
            == Payloads.digest(one.key(), one.value())
        : TruncatedDeadLetter.isOf(deadLetter, one.key(), one.value());
  }

  private static RecordPlace place(RawControl one) {
    return new RecordPlace(one.topic(), one.partition());
  }
}
