package io.equipoise.audit.report;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.MemoryBudget;
import io.equipoise.audit.verify.WriterEpochHistory;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the experiments of a log as its surviving history has them. A record of at-least-once
 * delivery says which attempt wrote it, but not whether a later one went on from before it; that is
 * what decisions and segment events tell, and only then they are read. What exactly-once delivery
 * has committed (attempt 0) is never withdrawn.
 *
 * <p>Holds the records of experiments, and of each of their segments where attempts took it up.
 */
public final class SurvivingExperiments {
  /** What a decoded record takes of memory for each byte on the topic, roughly. */
  private static final int BYTES_HELD = 8;

  private final CommittedLog records;
  private final Changes changes;
  private final long memoryBytes;
  private final ExperimentLog experiments = new ExperimentLog();
  private int unread;
  private boolean isCut;

  /** Where decisions and segment events are, for whom needs them. */
  public interface Changes {

    /**
     * Opens them. Their end must not be before that of the records of experiments.
     *
     * @throws InconclusiveException if they are not known, or cannot be read
     */
    CommittedLog open() throws InterruptedException;
  }

  /**
   * Prepares to read.
   *
   * @param records the experiments topic; only records to be checked count
   * @param changes the decisions and segment events of the same deployment
   * @param memoryBytes what may be held of experiments and of attempts together
   */
  public SurvivingExperiments(CommittedLog records, Changes changes, long memoryBytes) {
    this.records = records;
    this.changes = changes;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Reads all.
   *
   * @param segment the only one that is asked for, or null for all
   * @param revealed makes of a record of an experiment what is reported
   * @throws InconclusiveException if something cannot be read, memory does not suffice, or it
   *     cannot be told what was withdrawn
   */
  public List<LoggedExperiment> read(
      @Nullable String segment, UnaryOperator<ExperimentRecord> revealed)
      throws InterruptedException {
    MemoryBudget memoryBudget = new MemoryBudget(memoryBytes);
    try (LogReader reader = records.read(records.slices(LogTopic.EXPERIMENTS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        if (at.isChecked()) {
          take(at, segment, revealed, memoryBudget);
        }
      }
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException(
          "the records of the experiments do not fit; give more --memory, or name a --segment");
    }
    if (experiments.isOfWriterEpochs()) {
      dropWithdrawn(changes.open(), memoryBudget);
    }
    return experiments.experiments(segment);
  }

  private void take(
      LogRecord at,
      @Nullable String segment,
      UnaryOperator<ExperimentRecord> revealed,
      MemoryBudget memoryBudget) {
    byte[] value = at.value();
    ExperimentRecord record;
    try {
      record = Wire.EXPERIMENT.decode(value == null ? new byte[0] : value);
    } catch (WireException e) {
      unread++;
      return;
    }
    if (!ExperimentLog.isUsable(record)) {
      unread++;
    } else if (segment == null || segment.equals(record.segment())) {
      memoryBudget.reserve((long) BYTES_HELD * (value == null ? 0 : value.length));
      experiments.add(revealed.apply(record));
    }
  }

  private void dropWithdrawn(CommittedLog log, MemoryBudget memoryBudget) {
    isCut =
        Stream.of(LogTopic.DECISIONS, LogTopic.SEGMENT_EVENTS)
            .flatMap(topic -> log.slices(topic).stream())
            .anyMatch(offsetRange -> offsetRange.begin() > 0);
    WriterEpochHistory history = WriterEpochHistory.read(log, experiments::has, memoryBudget);
    experiments.removeIf(
        audit -> history.isWithdrawn(audit.segment(), audit.writerEpoch(), audit.seq()));
  }

  /** Returns what to bear in mind about what was read, a line each. */
  public List<String> caveats() {
    List<String> caveats = new ArrayList<>();
    if (unread > 0) {
      caveats.add(
          unread + " records were written by another version, or are none, and are left out");
    }
    if (isCut) {
      caveats.add(
          "retention removed the beginning of decisions or segment events: what was withdrawn"
              + " before may be reported; keep both without limit");
    }
    return caveats;
  }

  /** Says whether retention may have removed what tells that a record was withdrawn. */
  boolean isCut() {
    return isCut;
  }
}
