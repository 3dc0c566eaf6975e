package io.equipoise.state;

import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Names the serializer of what a subtask has read and written in savepoints. Never rename or move.
 */
public final class WrittenStateSnapshot extends LayoutSnapshot<WrittenState> {

  @Override
  public TypeSerializer<WrittenState> restoreSerializer() {
    return new WrittenStateSerializer();
  }
}
