package io.equipoise.job;

import io.equipoise.event.Decision;
import io.equipoise.event.ValidWriterEpochs;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.privacy.Unredactor;
import io.equipoise.state.WriterEpochState;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins a subtask's writer epoch with at-least-once delivery: invalidates later appends of earlier
 * epochs, then reads their decisions.
 *
 * <p>It reads from the checkpoint's offsets to the ends, takes the number after the highest known
 * epoch, and appends a marker with it to every partition. Then it reads up to its markers. If
 * another epoch for some of its key groups began in between, neither can know which is later. At
 * most one of two finds nothing before its markers. The other fails, and the job manager restarts
 * it if it is still needed. It must not append markers again with a higher number: it may be a
 * process that was frozen while it began, and would end the epoch that replaced it. For the same
 * reason it fails if the same run has started this subtask again. It cannot detect here whether
 * another run did; see {@link SubtaskWriterEpoch}.
 *
 * <p><b>No decision is missed.</b> A decision that the restored state does not contain was emitted
 * after the barrier of that checkpoint, hence after the function's snapshot. The offsets in the
 * snapshot were requested earlier (see {@link DecisionLog#recentEnds}), so the decision is at or
 * after them. If it is before this epoch's marker, it is read here. If it is after the marker, its
 * epoch has ended and no reader accepts it. A decision that is read although the state contains it
 * does no harm: its context does not arrive again, or is recognized as a repetition. No marker is
 * missed either: markers before the offsets were delivered before the snapshot (see {@link
 * CheckpointableEnds}), and a later epoch's marker would have failed the task.
 *
 * <p><b>All readers agree.</b> Whether a record is valid depends only on the records before it in
 * its partition; see {@link ValidWriterEpochs}. All decisions of a segment are in the partition of
 * the key's hash, as long as the number of partitions does not change. If partitions were added
 * between two epochs, the first valid record still counts, because new partitions are read from the
 * beginning. No partition may be added while a job runs: it would have no marker.
 *
 * <p>For one start by one thread. Only the buffer of decisions outlives it.
 */
final class WriterEpochStart {
  private static final Logger LOG = LoggerFactory.getLogger(WriterEpochStart.class);
  private static final byte[] NOTHING = {};

  private final DecisionLog log;
  private final WriterEpochMarker own;
  private final KeyGroupRange mine;
  private final int keyGroups;
  private final RecoveredDecisionBuffer answers;
  private ValidWriterEpochs[] valid = {};
  private long read;
  private long voided;
  private boolean isReplaced;
  private boolean isFromExactlyOnce;

  /**
   * Prepares a writer epoch.
   *
   * @param own content of its markers, except the number
   * @param keyGroups number of all key groups
   * @param memory limit for recovered decisions
   * @param unredactor decrypts redacted values of a recovered decision
   */
  WriterEpochStart(
      DecisionLog log,
      WriterEpochMarker own,
      int keyGroups,
      MemorySize memory,
      Unredactor unredactor) {
    this.log = log;
    this.own = own;
    this.mine = KeyGroupRange.of(own.firstKeyGroup(), own.lastKeyGroup());
    this.keyGroups = keyGroups;
    this.answers = new RecoveredDecisionBuffer(memory, unredactor);
  }

  /**
   * Holds the result of a start: a writer epoch that has begun.
   *
   * @param marker its marker, which is in every partition
   * @param ends the offsets after its markers
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Begun(WriterEpochMarker marker, long[] ends, RecoveredDecisionBuffer answers) {
    int writerEpoch() {
      return marker.writerEpoch();
    }
  }

  /**
   * Begins the writer epoch.
   *
   * @param restored the states of all subtasks at the checkpoint; empty without one
   * @param isRestored whether there is a checkpoint. A checkpoint without such a state is of
   *     exactly-once delivery and contains its decisions. It does not contain the epochs and
   *     decisions of a start that failed before its first checkpoint, so those are read from the
   *     beginning.
   * @throws WriterEpochEndedException if another writer epoch began at the same time, or the same
   *     run has started this subtask again
   */
  Begun begin(List<WriterEpochState> restored, boolean isRestored) {
    List<WriterEpochState> before =
        restored.stream().filter(state -> markerOf(state).overlaps(own)).toList();
    long[] from = log.begins();
    valid =
        Stream.generate(ValidWriterEpochs::new)
            .limit(from.length)
            .toArray(ValidWriterEpochs[]::new);
    isFromExactlyOnce = before.isEmpty() && isRestored;
    takeUp(before, from);
    long[] ends = log.ends();
    log.read(from, ends, this::take);
    WriterEpochMarker marker = own.numbered(1 + latest());
    refuseReplaced(marker);
    long[] marked = log.append(marker);
    log.read(ends, marked, this::take);
    refuseReplaced(marker);
    if (latest() >= marker.writerEpoch()) {
      throw new WriterEpochEndedException(
          marker + " ends because another writer epoch began at the same time");
    }
    LOG.info(
        "Writer epoch {} of key groups {} begins: read {} decisions, {} of them void; {} are valid",
        marker.writerEpoch(),
        mine,
        read,
        voided,
        answers.size());
    long[] next = Arrays.stream(marked).map(offset -> offset + 1).toArray();
    return new Begun(marker, next, answers);
  }

  /**
   * Restores the epochs and decisions of a checkpoint, and raises {@code from} to its offsets; a
   * partition without an offset is read from the beginning.
   */
  private void takeUp(List<WriterEpochState> before, long[] from) {
    if (before.isEmpty()) {
      return;
    }
    for (int partition = 0; partition < from.length; partition++) {
      long least = Long.MAX_VALUE;
      for (WriterEpochState state : before) {
        valid[partition].on(markerOf(state));
        boolean isKnown = partition < state.offsets().size();
        least = Math.min(least, isKnown ? state.offsets().get(partition) : 0);
      }
      from[partition] = Math.max(from[partition], least);
    }
    for (WriterEpochState state : before) {
      for (byte[] answer : state.answers()) {
        keep(Wire.DECISION.decode(answer), answer);
      }
    }
  }

  private void refuseReplaced(WriterEpochMarker marker) {
    if (isReplaced) {
      throw new WriterEpochEndedException(
          marker + " has been replaced: its run has started another");
    }
  }

  private static WriterEpochMarker markerOf(WriterEpochState state) {
    return new WriterEpochMarker(state.writerEpoch(), state.firstKeyGroup(), state.lastKeyGroup());
  }

  private int latest() {
    int latest = 0;
    for (ValidWriterEpochs partition : valid) {
      latest = Math.max(latest, partition.latest(mine.getStartKeyGroup(), mine.getEndKeyGroup()));
    }
    return latest;
  }

  private void take(int partition, byte @Nullable [] value, Headers headers) {
    try {
      if (WriterEpochMarker.isIn(value, headers)) {
        WriterEpochMarker marker = WriterEpochMarker.of(headers);
        isReplaced |= marker.replaces(own);
        valid[partition].on(marker);
        return;
      }
      byte[] framed = value == null ? NOTHING : value;
      Decision decision = Wire.DECISION.decode(framed);
      read++;
      if (!valid[partition].on(decision)) {
        voided++;
      } else if (decision.isRepeated()) {
        return; // its context gets the arm of the first decision
      } else if (!(isFromExactlyOnce && isCommitted(decision))) {
        keep(decision, framed);
      }
    } catch (WireException e) {
      LOG.warn(
          "A record of partition {} of the decisions is invalid: {}", partition, e.getMessage());
    }
  }

  /** Returns whether a decision is of exactly-once delivery, visible only with its checkpoint. */
  private static boolean isCommitted(Decision decision) {
    return decision.writerEpoch() == 0;
  }

  private void keep(Decision decision, byte[] framed) {
    int group = KeyGroupRangeAssignment.assignToKeyGroup(decision.segment(), keyGroups);
    if (mine.contains(group)) {
      answers.add(decision, framed);
    }
  }
}
