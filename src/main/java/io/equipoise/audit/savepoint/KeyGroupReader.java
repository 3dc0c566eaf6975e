package io.equipoise.audit.savepoint;

import io.equipoise.event.IdHash;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import io.equipoise.state.BlockSerializer;
import io.equipoise.state.EntrySerializer;
import io.equipoise.state.HeadSerializer;
import io.equipoise.state.IdHashSerializer;
import io.equipoise.state.PackedSegment;
import io.equipoise.state.PassivatedSegmentSerializer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.CompositeKeySerializationUtils;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.StateSerializerProvider;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.BackendStateType;
import org.apache.flink.runtime.state.restore.FullSnapshotRestoreOperation;
import org.apache.flink.runtime.state.restore.KeyGroup;
import org.apache.flink.runtime.state.restore.KeyGroupEntry;
import org.apache.flink.runtime.state.restore.SavepointRestoreResult;
import org.apache.flink.runtime.state.restore.ThrowingIterator;
import org.apache.flink.util.StateMigrationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keyed state of the segment function, entry by entry.
 *
 * <pre>
 *   key of an entry:   key group (1 or 2 bytes), segment, void namespace; for a map also its key
 *   value of an entry: the value; for a map preceded by a byte, 1 for null
 * </pre>
 */
final class KeyGroupReader {
  private final int prefixBytes;
  private final Predicate<String> wanted;
  private final HeadSerializer heads = new HeadSerializer();
  private final PassivatedSegmentSerializer passivated = new PassivatedSegmentSerializer();
  private final EntrySerializer entries = new EntrySerializer();
  private final BlockSerializer blocks = new BlockSerializer();
  private final IdHashSerializer ids = new IdHashSerializer();

  /** Collects the entries of one segment that were read so far. */
  private static final class FoundEntry {
    private final MemoryModelState model = new MemoryModelState();
    private final Map<IdHash, Entry> entries = new HashMap<>();
    private @Nullable SegmentHeader head;
    private @Nullable PassivatedSegment passivated;
  }

  KeyGroupReader(int maxParallelism, Predicate<String> wanted) {
    this.prefixBytes =
        CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix(maxParallelism);
    this.wanted = wanted;
  }

  /** Adds the segments of a handle's key groups. */
  void read(KeyGroupsStateHandle handle, Map<String, SegmentSnapshot> to)
      throws IOException, StateMigrationException {
    FullSnapshotRestoreOperation<String> restore =
        new FullSnapshotRestoreOperation<>(
            handle.getKeyGroupRange(),
            KeyGroupReader.class.getClassLoader(),
            List.of(handle),
            StateSerializerProvider.fromNewRegisteredSerializer(StringSerializer.INSTANCE));
    try (ThrowingIterator<SavepointRestoreResult> results = restore.restore()) {
      while (results.hasNext()) {
        SavepointRestoreResult result = results.next();
        try (ThrowingIterator<KeyGroup> groups = result.getRestoredKeyGroups()) {
          while (groups.hasNext()) {
            read(groups.next(), result.getStateMetaInfoSnapshots(), to);
          }
        }
      }
    }
  }

  private void read(
      KeyGroup group, List<StateMetaInfoSnapshot> states, Map<String, SegmentSnapshot> to)
      throws IOException, StateMigrationException {
    Map<String, FoundEntry> found = new TreeMap<>();
    try (ThrowingIterator<KeyGroupEntry> all = group.getKeyGroupEntries()) {
      while (all.hasNext()) {
        KeyGroupEntry entry = all.next();
        StateMetaInfoSnapshot state = states.get(entry.getKvStateId());
        if (state.getBackendStateType() == BackendStateType.KEY_VALUE) {
          take(state.getName(), entry, found);
        }
      }
    }
    for (Map.Entry<String, FoundEntry> segment : found.entrySet()) {
      to.put(segment.getKey(), saved(segment.getKey(), segment.getValue()));
    }
  }

  private void take(String state, KeyGroupEntry entry, Map<String, FoundEntry> found)
      throws IOException {
    DataInputDeserializer key = new DataInputDeserializer(entry.getKey());
    key.skipBytesToRead(prefixBytes);
    String segment = StringSerializer.INSTANCE.deserialize(key);
    VoidNamespaceSerializer.INSTANCE.deserialize(key);
    if (!wanted.test(segment)) {
      return;
    }
    FoundEntry of = found.computeIfAbsent(segment, any -> new FoundEntry());
    DataInputDeserializer value = new DataInputDeserializer(entry.getValue());
    switch (state) {
      case "header" -> of.head = heads.deserialize(value);
      case "passivated" -> of.passivated = passivated.deserialize(value);
      case "entries" -> {
        value.readBoolean();
        of.entries.put(ids.deserialize(key), entries.deserialize(value));
      }
      case "model" -> {
        value.readBoolean();
        StateBlock stateBlock = blocks.deserialize(value);
        of.model.put(LongSerializer.INSTANCE.deserialize(key), stateBlock);
      }
      default -> {} // due-index: a replay derives it from the log
    }
  }

  private static SegmentSnapshot saved(String segment, FoundEntry found) throws IOException {
    PassivatedSegment passivated = found.passivated;
    if (passivated != null && passivated.retain() == Retain.NONE) {
      return SegmentSnapshot.emptied(passivated);
    }
    if (passivated != null) {
      SegmentHeader head = PackedSegment.unpack(passivated.bytes(), found.model);
      return new SegmentSnapshot(head, found.model, passivated.retain(), Map.of());
    }
    SegmentHeader head = found.head;
    if (head == null) {
      throw new IOException("segment " + segment + " has state but no header");
    }
    return new SegmentSnapshot(head, found.model, null, found.entries);
  }
}
