package io.equipoise.audit.savepoint;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.segment.state.SegmentSnapshot;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointKeyedStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.streaming.api.graph.StreamGraphHasherV2;
import org.apache.flink.util.StateMigrationException;

/**
 * Reads a savepoint of the job in Flink's canonical format. Keeps only its metadata; every read
 * opens the files again.
 */
public final class Savepoint {
  private static final String SEGMENT = "segment";

  private final String location;
  private final CheckpointMetadata metadata;
  private final OperatorState segments;

  private Savepoint(String location, CheckpointMetadata metadata) {
    this.location = location;
    this.metadata = metadata;
    this.segments = operator(SEGMENT);
  }

  /**
   * Opens a savepoint by its directory or its {@code _metadata} file.
   *
   * @throws InconclusiveException if there is none, or it is of another job or another format
   */
  public static Savepoint open(String location) {
    try {
      CompletedCheckpointStorageLocation files =
          AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(location);
      try (DataInputStream in = new DataInputStream(files.getMetadataHandle().openInputStream())) {
        ClassLoader loader = Savepoint.class.getClassLoader();
        Savepoint savepoint =
            new Savepoint(
                location,
                Checkpoints.loadCheckpointMetadata(in, loader, files.getExternalPointer()));
        savepoint.checkFormat();
        return savepoint;
      }
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      throw unreadable(location, e);
    }
  }

  public String location() {
    return location;
  }

  /** Returns the offset after the last read record of each input partition, by topic/partition. */
  public Map<String, Long> inputOffsets() {
    Map<String, Long> offsets = new TreeMap<>();
    try {
      for (String uid : SourceOffsets.UIDS) {
        for (OperatorSubtaskState subtask : operator(uid).getStates()) {
          SourceOffsets.read(subtask, offsets);
        }
      }
    } catch (IOException | RuntimeException e) {
      throw unreadable(location, e);
    }
    return offsets;
  }

  /**
   * Reads the segments whose names a filter accepts. Needs memory for these and one key group.
   *
   * @throws InconclusiveException if a file cannot be read or has an unknown format
   */
  public Map<String, SegmentSnapshot> segments(Predicate<String> wanted) {
    Map<String, SegmentSnapshot> found = new TreeMap<>();
    KeyGroupReader reader = new KeyGroupReader(segments.getMaxParallelism(), wanted);
    try {
      for (OperatorSubtaskState subtask : segments.getStates()) {
        for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
          reader.read(canonical(handle), found);
        }
      }
    } catch (IOException | StateMigrationException | IllegalArgumentException e) {
      throw unreadable(location, e);
    }
    return found;
  }

  private void checkFormat() {
    for (OperatorSubtaskState subtask : segments.getStates()) {
      subtask.getManagedKeyedState().forEach(this::canonical);
    }
  }

  private KeyGroupsStateHandle canonical(KeyedStateHandle handle) {
    if (handle instanceof SavepointKeyedStateHandle
        && handle instanceof KeyGroupsStateHandle groups) {
      return groups;
    }
    throw new InconclusiveException(
        "the savepoint at %s is not in the canonical format; take one with `flink savepoint"
                .formatted(location)
            + " --type canonical`");
  }

  private OperatorState operator(String uid) {
    OperatorID id = new OperatorID(StreamGraphHasherV2.generateUserSpecifiedHash(uid));
    return metadata.getOperatorStates().stream()
        .filter(state -> state.getOperatorID().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new InconclusiveException(
                    "the savepoint at %s is not of this job: it has no operator %s"
                        .formatted(location, uid)));
  }

  private static InconclusiveException unreadable(String location, Exception cause) {
    return new InconclusiveException(
        "the savepoint at %s cannot be read: %s".formatted(location, cause.getMessage()), cause);
  }
}
