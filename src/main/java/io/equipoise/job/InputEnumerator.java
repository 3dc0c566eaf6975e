package io.equipoise.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the partitions of an input topic over all readers at every start, not only at the first.
 *
 * <p>A reader without a partition has no event time, and so holds back event time of the whole job.
 * The connector assigns partition n to reader (n + constant) % readers, so each reader has one if
 * there are no more readers than partitions ({@link Topology}). But Flink gives the partitions of a
 * checkpoint to the readers by their order in it, and only new ones come from the connector: after
 * a start with more readers and more partitions some readers have none. Therefore the source is a
 * {@link SupportsSplitReassignmentOnRecovery}: a restored reader does not read its partitions but
 * reports them here, with their offsets, and the connector assigns all of them again.
 *
 * <p>Such a reader must not be marked idle instead: before its partitions are assigned it looks
 * like a reader that never gets any, and the other readers' event time would pass its backlog.
 *
 * <p>Partitions are kept here until two things are known:
 *
 * <ul>
 *   <li>All readers have registered. A partition that a reader got after the last checkpoint is
 *       returned when the reader fails, and the reader that had it in the checkpoint reports it
 *       too, with the same offset. By then both are here, as one; earlier it would be read twice.
 *   <li>The first discovery has ended. Else event time of the restored partitions would pass the
 *       backlog of partitions that were added while the job was stopped.
 * </ul>
 *
 * <p>Meanwhile a checkpoint stores them as not assigned, so the kept partitions are part of the
 * state. Flink calls all methods in one thread.
 */
final class InputEnumerator implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {
  /** Is never registered, so the connector assigns nothing before all partitions are returned. */
  private static final int NO_READER = -1;

  private final SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> kafka;
  private final SplitEnumeratorContext<KafkaPartitionSplit> context;
  private final Map<String, KafkaPartitionSplit> kept = new TreeMap<>();
  private boolean isDiscovered;

  /**
   * Wraps an enumerator.
   *
   * @param kafka the connector's enumerator, not started
   * @param context the context that {@code kafka} has too
   */
  InputEnumerator(
      SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> kafka,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    this.kafka = kafka;
    this.context = context;
  }

  /**
   * Starts the discovery and waits for its end. The one worker thread runs calls in their order:
   * the first call after it lists the partitions, the second after it finds the new ones' offsets.
   */
  @Override
  public void start() {
    kafka.start();
    afterCalls(() -> afterCalls(this::discovered));
  }

  private void afterCalls(Runnable next) {
    context.callAsync(() -> true, (done, failure) -> next.run());
  }

  private void discovered() {
    isDiscovered = true;
    assignIfComplete();
  }

  @Override
  public void addReader(int reader) {
    keep(context.registeredReaders().get(reader).getReportedSplitsOnRegistration());
    assignIfComplete();
  }

  @Override
  public void addSplitsBack(List<KafkaPartitionSplit> splits, int reader) {
    keep(splits);
    assignIfComplete();
  }

  private void keep(List<KafkaPartitionSplit> splits) {
    for (KafkaPartitionSplit split : splits) {
      @Nullable KafkaPartitionSplit other = kept.put(split.splitId(), split);
      if (other != null && !other.equals(split)) {
        throw new IllegalStateException(
            "partition %s was returned from offset %d and from offset %d"
                .formatted(split.splitId(), other.getStartingOffset(), split.getStartingOffset()));
      }
    }
  }

  private void assignIfComplete() {
    Set<Integer> readers = context.registeredReaders().keySet();
    if (!isDiscovered || readers.size() < context.currentParallelism()) {
      return;
    }
    kafka.addSplitsBack(List.copyOf(kept.values()), NO_READER);
    kept.clear();
    new TreeSet<>(readers).forEach(kafka::addReader);
  }

  @Override
  public KafkaSourceEnumState snapshotState(long checkpoint) throws Exception {
    KafkaSourceEnumState state = kafka.snapshotState(checkpoint);
    List<KafkaPartitionSplit> unassigned = others(state.unassignedSplits());
    unassigned.addAll(kept.values());
    return new KafkaSourceEnumState(
        others(state.assignedSplits()), unassigned, state.initialDiscoveryFinished());
  }

  /** Returns the partitions that are not kept here. */
  private List<KafkaPartitionSplit> others(Collection<KafkaPartitionSplit> splits) {
    List<KafkaPartitionSplit> others = new ArrayList<>(splits);
    others.removeIf(split -> kept.containsKey(split.splitId()));
    return others;
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) throws Exception {
    kafka.notifyCheckpointComplete(checkpoint);
  }

  @Override
  public void notifyCheckpointAborted(long checkpoint) throws Exception {
    kafka.notifyCheckpointAborted(checkpoint);
  }

  @Override
  public void handleSplitRequest(int reader, @Nullable String host) {
    kafka.handleSplitRequest(reader, host);
  }

  @Override
  public void handleSourceEvent(int reader, SourceEvent event) {
    kafka.handleSourceEvent(reader, event);
  }

  @Override
  public void close() throws IOException {
    kafka.close();
  }
}
