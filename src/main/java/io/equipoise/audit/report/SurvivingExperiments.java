package io.equipoise.audit.report;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryBudget;
import io.equipoise.audit.verify.WriterEpochHistory;
import io.equipoise.event.Counted;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the experiments of a log without withdrawn records. A record of at-least-once delivery
 * names its writer epoch, but not whether a later epoch withdrew it. Decisions and segment events
 * show that, and are read only then. Records of exactly-once delivery (epoch 0) are never
 * withdrawn.
 *
 * <p>Memory: the records of experiments, and the writer epochs of their segments. The caveats are
 * valid after {@link #read}.
 */
public final class SurvivingExperiments {
  /** Approximate memory of a decoded record per byte on the topic. */
  private static final int BYTES_KEPT = 8;

  private final CommittedLog records;
  private final Changes changes;
  private final long memoryBytes;
  private final ExperimentLog experiments = new ExperimentLog();
  private int unread;
  private boolean isCut;

  /** Reads decisions and segment events. */
  public interface Changes {

    /**
     * Opens them. Their end must not be before that of the experiment records.
     *
     * @throws InconclusiveException if they are unknown or cannot be read
     */
    CommittedLog open() throws InterruptedException;
  }

  /**
   * Prepares to read.
   *
   * @param records the experiments topic; only checked records count
   * @param changes the decisions and segment events of the same deployment
   * @param memoryBytes memory limit of experiments and writer epochs together, bytes
   */
  public SurvivingExperiments(CommittedLog records, Changes changes, long memoryBytes) {
    this.records = records;
    this.changes = changes;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Reads all experiments.
   *
   * @param segment the only segment to read, or null for all
   * @param revealed applied to every record
   * @throws InconclusiveException if something cannot be read, memory does not suffice, or
   *     withdrawn records cannot be detected
   */
  public List<LoggedExperiment> read(
      @Nullable String segment, UnaryOperator<ExperimentRecord> revealed)
      throws InterruptedException {
    MemoryBudget memoryBudget = new MemoryBudget(memoryBytes);
    try {
      records.forEach(
          records.slices(LogTopic.EXPERIMENTS),
          at -> {
            if (at.isChecked()) {
              take(at, segment, revealed, memoryBudget);
            }
          });
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
      memoryBudget.reserve((long) BYTES_KEPT * (value == null ? 0 : value.length));
      experiments.add(revealed.apply(record));
    }
  }

  private void dropWithdrawn(CommittedLog log, MemoryBudget memoryBudget) {
    isCut =
        Stream.of(LogTopic.DECISIONS, LogTopic.SEGMENT_EVENTS)
            .flatMap(topic -> log.slices(topic).stream())
            .anyMatch(offsetRange -> offsetRange.begin() > 0);
    WriterEpochHistory history = WriterEpochHistory.read(log, experiments::has, memoryBudget);
    experiments.removeIf(audit -> history.isWithdrawn(audit.place()));
  }

  /** Returns restrictions of the result, one line each. */
  public List<String> caveats() {
    List<String> caveats = new ArrayList<>();
    if (unread > 0) {
      caveats.add(Counted.of(unread, "records are left out: invalid or of another version"));
    }
    if (isCut) {
      caveats.add(
          "retention removed the beginning of decisions or segment events: records that were"
              + " withdrawn before may be reported; keep both topics without limit");
    }
    return caveats;
  }

  /** Returns whether retention may have removed evidence of withdrawn records. */
  boolean isCut() {
    return isCut;
  }
}
