package io.equipoise.state;

import io.equipoise.event.IdHash;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a decision id's hash in savepoints. Never rename or move. */
public final class IdHashSnapshot extends LayoutSnapshot<IdHash> {

  @Override
  public TypeSerializer<IdHash> restoreSerializer() {
    return new IdHashSerializer();
  }
}
