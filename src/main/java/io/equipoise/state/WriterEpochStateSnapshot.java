package io.equipoise.state;

import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a writer epoch in savepoints. Never rename or move. */
public final class WriterEpochStateSnapshot extends LayoutSnapshot<WriterEpochState> {

  @Override
  public TypeSerializer<WriterEpochState> restoreSerializer() {
    return new WriterEpochStateSerializer();
  }
}
