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
 * How a subtask begins an attempt where delivery is at-least-once: it puts an end to what earlier
 * attempts append, then learns what they had answered until then.
 *
 * <p>It reads from the offsets of the checkpoint to the ends, takes the number after the greatest
 * attempt that it knows of, and appends a marker of it to every partition. Then it reads up to its
 * markers. Had another attempt for some of its key groups begun in between, neither could tell
 * which of both is the later one; of two at most one finds nothing before its markers. The other
 * gives way: it fails, and if it is the one that the job manager wants, it is started again. It
 * must not take a greater number and mark again: it may be a process that was frozen while it
 * began, and would end the attempt that has taken its place. For the same reason it gives way where
 * it finds that the same run has started the subtask once more: it is not wanted then. Whether one
 * of another run is, nobody can tell here; see {@link SubtaskWriterEpoch}.
 *
 * <p><b>Nothing is missed.</b> A decision that the restored state does not know was emitted after
 * the barrier of that checkpoint, hence after the function's snapshot. The offsets in the snapshot
 * had been asked for before (see {@link DecisionLog#recentEnds}), so the decision was appended at
 * or behind them. If it stands before this attempt's marker, it is read here. If it stands behind,
 * its attempt is an earlier one, and it is valid for nobody. What is read and the state knows does
 * no harm: its context does not come again, or is found to be a repetition. Nor is a marker missed:
 * those before the offsets were handed over before the snapshot (see {@link MarkedEnds}), and it
 * would have failed had one of them been a later attempt's.
 *
 * <p><b>Everybody reads the same.</b> Whether a record is valid follows from the records before it
 * in its partition alone; see {@link ValidWriterEpochs}. All decisions of a segment are in one
 * partition, the hash of the key's, as long as their number does not change. Where partitions were
 * added between two attempts, the first valid record is still the answer, as the new ones are read
 * from their beginning; while a job runs none may be added, for they would have no marker.
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
   * Prepares an attempt.
   *
   * @param own what its markers will be, but for the number
   * @param keyGroups how many there are in all
   * @param memory that answers may be held in
   * @param unredactor gives back what was hidden in an answer that is to be given again
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
   * An attempt that has begun.
   *
   * @param marker that it has appended to every partition
   * @param ends the offsets behind its markers
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Begun(WriterEpochMarker marker, long[] ends, RecoveredDecisionBuffer answers) {
    int writerEpoch() {
      return marker.writerEpoch();
    }
  }

  /**
   * Begins.
   *
   * @param restored what all subtasks knew at the checkpoint; empty without one
   * @param isRestored whether there is a checkpoint at all; one without any such state is of
   *     exactly-once delivery, whose decisions it knows. It knows neither the attempts nor the
   *     answers of a start that failed before its first checkpoint, so all is read for those.
   * @throws WriterEpochOverException if another attempt began at the same time
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
      throw new WriterEpochOverException(
          marker + " gives way to another attempt that began at the same time");
    }
    LOG.info(
        "Attempt {} of key groups {} begins: read {} decisions, {} of them void; {} answers stand",
        marker.writerEpoch(),
        mine,
        read,
        voided,
        answers.size());
    long[] behind = Arrays.stream(marked).map(offset -> offset + 1).toArray();
    return new Begun(marker, behind, answers);
  }

  /** Goes on where the checkpoint ended; a partition that it does not know is read as a whole. */
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
      throw new WriterEpochOverException(marker + " is not wanted: its run has started another");
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
        return; // its context gets the arm of the first decision again
      } else if (!(isFromExactlyOnce && isCommitted(decision))) {
        keep(decision, framed);
      }
    } catch (WireException e) {
      LOG.warn("A record of partition {} of the decisions is none: {}", partition, e.getMessage());
    }
  }

  /** Says whether a decision is of exactly-once delivery, visible only with its checkpoint. */
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
