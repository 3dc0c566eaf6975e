package io.equipoise.state;

import io.equipoise.segment.state.SegmentState.DueKey;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of the key of an agenda's chunk in savepoints. Never rename or move. */
public final class DueKeySnapshot extends LayoutSnapshot<DueKey> {

  @Override
  public TypeSerializer<DueKey> restoreSerializer() {
    return new DueKeySerializer();
  }
}
