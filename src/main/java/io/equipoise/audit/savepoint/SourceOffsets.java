package io.equipoise.audit.savepoint;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.OperatorStateHandle;

/** Reads the offsets of the input sources from their list state. */
final class SourceOffsets {
  static final List<String> UIDS = List.of("contexts", "rewards");

  private static final String STATE = "SourceReaderState";
  private static final KafkaPartitionSplitSerializer SPLIT = new KafkaPartitionSplitSerializer();

  private SourceOffsets() {}

  /** Adds the offsets of a subtask; leaves out partitions that it has not started. */
  static void read(OperatorSubtaskState subtask, Map<String, Long> offsets) throws IOException {
    for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
      OperatorStateHandle.StateMetaInfo places = handle.getStateNameToPartitionOffsets().get(STATE);
      if (places == null) {
        continue;
      }
      try (FSDataInputStream in = handle.openInputStream()) {
        DataInputViewStreamWrapper view = new DataInputViewStreamWrapper(in);
        for (long place : places.getOffsets()) {
          in.seek(place);
          byte[] bytes = BytePrimitiveArraySerializer.INSTANCE.deserialize(view);
          KafkaPartitionSplit split =
              SimpleVersionedSerialization.readVersionAndDeSerialize(SPLIT, bytes);
          if (split.getStartingOffset() >= 0) {
            offsets.put(split.getTopic() + "/" + split.getPartition(), split.getStartingOffset());
          }
        }
      }
    }
  }
}
