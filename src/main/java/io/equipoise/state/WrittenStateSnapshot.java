package io.equipoise.state;

import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of {@link WrittenState} in savepoints. Never rename or move. */
public final class WrittenStateSnapshot extends LayoutSnapshot<WrittenState> {

  @Override
  public TypeSerializer<WrittenState> restoreSerializer() {
    return new WrittenStateSerializer();
  }
}
