package io.equipoise.state;

import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of an attempt in savepoints. Never rename or move. */
public final class AttemptStateSnapshot extends LayoutSnapshot<AttemptState> {

  @Override
  public TypeSerializer<AttemptState> restoreSerializer() {
    return new AttemptStateSerializer();
  }
}
