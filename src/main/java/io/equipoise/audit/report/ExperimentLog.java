package io.equipoise.audit.report;

import io.equipoise.event.ExperimentRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects experiment records in any order and assembles them: by segment, in the order of seq,
 * each experiment from its first phase to its end.
 */
public final class ExperimentLog {
  private final Map<String, TreeMap<Place, ExperimentRecord>> bySegment = new TreeMap<>();

  /**
   * Orders the records of an experiment; the terminal record follows the phase with the same seq.
   */
  private record Place(long seq, boolean isEnd) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int bySeq = Long.compare(seq, other.seq);
      return bySeq == 0 ? Boolean.compare(isEnd, other.isEnd) : bySeq;
    }
  }

  /** Returns whether a record has the fields that the job writes. */
  static boolean isUsable(ExperimentRecord record) {
    return record.phase() == null
        ? record.terminal() != null
        : record.terminal() == null && record.design() != null;
  }

  /** Adds a usable record; of two records with one seq, the later writer epoch wins. */
  public void add(ExperimentRecord record) {
    Place place = new Place(record.seq(), record.terminal() != null);
    bySegment
        .computeIfAbsent(record.segment(), segment -> new TreeMap<>())
        .merge(
            place,
            record,
            (known, other) -> other.writerEpoch() > known.writerEpoch() ? other : known);
  }

  /** Returns whether there are records of a segment. */
  boolean has(String segment) {
    return bySegment.containsKey(segment);
  }

  /** Returns whether some record is of at-least-once delivery, so that it may be withdrawn. */
  boolean isOfWriterEpochs() {
    return bySegment.values().stream()
        .flatMap(records -> records.values().stream())
        .anyMatch(audit -> audit.writerEpoch() > 0);
  }

  void removeIf(Predicate<ExperimentRecord> isWithdrawn) {
    bySegment.values().forEach(records -> records.values().removeIf(isWithdrawn));
  }

  /**
   * Returns the experiments by segment, the oldest first.
   *
   * @param segment the only segment to return, or null for all
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

  private static void collect(
      Iterable<ExperimentRecord> records, List<LoggedExperiment> experiments) {
    List<ExperimentRecord> phases = new ArrayList<>();
    for (ExperimentRecord record : records) {
      if (record.terminal() != null) {
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
