package io.equipoise.audit.report;

import io.equipoise.event.AuditKind;
import io.equipoise.event.FairnessAudit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the records of experiments, in whatever order partitions bring them, and puts them
 * together again: by segment, in the order of seq, one experiment from its first phase to its end.
 */
public final class ExperimentLog {
  private final Map<String, TreeMap<Place, FairnessAudit>> bySegment = new TreeMap<>();

  /** Where a record belongs; the end follows the phase that it was decided in. */
  private record Place(long seq, boolean isEnd) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int bySeq = Long.compare(seq, other.seq);
      return bySeq == 0 ? Boolean.compare(isEnd, other.isEnd) : bySeq;
    }
  }

  /** Says whether a record is one of an experiment. */
  static boolean holds(FairnessAudit audit) {
    return audit.kind() == AuditKind.PHASE || audit.kind() == AuditKind.TERMINAL;
  }

  /** Takes a record of any kind; of two with one seq that of the later attempt is true. */
  public void add(FairnessAudit audit) {
    if (!holds(audit)) {
      return;
    }
    Place place = new Place(audit.seq(), audit.kind() == AuditKind.TERMINAL);
    bySegment
        .computeIfAbsent(audit.segment(), segment -> new TreeMap<>())
        .merge(place, audit, (known, other) -> other.attempt() > known.attempt() ? other : known);
  }

  /** Says whether something was taken from a segment. */
  boolean has(String segment) {
    return bySegment.containsKey(segment);
  }

  /** Says whether one record at least is of at-least-once delivery, and may have been withdrawn. */
  boolean isOfAttempts() {
    return bySegment.values().stream()
        .flatMap(records -> records.values().stream())
        .anyMatch(audit -> audit.attempt() > 0);
  }

  /** Drops what was withdrawn. */
  void removeIf(Predicate<FairnessAudit> isWithdrawn) {
    bySegment.values().forEach(records -> records.values().removeIf(isWithdrawn));
  }

  /**
   * Returns the experiments by segment, the oldest first.
   *
   * @param segment the only one that is asked for, or null for all
   */
  public List<LoggedExperiment> experiments(@Nullable String segment) {
    List<LoggedExperiment> experiments = new ArrayList<>();
    bySegment.forEach(
        (name, records) -> {
          if (segment == null || segment.equals(name)) {
            collect(records.values(), experiments);
          }
        });
    return experiments;
  }

  private static void collect(Iterable<FairnessAudit> records, List<LoggedExperiment> experiments) {
    List<FairnessAudit> phases = new ArrayList<>();
    for (FairnessAudit record : records) {
      if (record.kind() == AuditKind.TERMINAL) {
        experiments.add(new LoggedExperiment(phases, record));
        phases = new ArrayList<>();
      } else {
        phases.add(record);
      }
    }
    if (!phases.isEmpty()) {
      experiments.add(new LoggedExperiment(phases, null));
    }
  }
}
